// The draws of Perudo: who opens the first round (P4), and every hand (P6).

import { Game, offer } from "../games/draws.js";

export class Draws extends Game {
  constructor(record) {
    super(record);
    this.dice = this.seats.map(() => 5);
    this.rolls = 0;
    if (this.options.starter === "random") {
      this.openers = [this.draws.oneOf(this.seats, 0, "opener", "-", 0)];
    }
  }

  throw(count, ...address) {
    return this.draws.numbers(Array(count).fill(6), ...address).map((number) => number + 1);
  }

  /** The highest roll opens; seats that share it roll again. */
  rollForOpener(recorded) {
    const count = this.options.starter === "one_die" ? 1 : 2;
    const rolls = new Map(
      this.openers.map((seat) => [seat, this.throw(count, 0, "starter", seat, this.rolls)]),
    );
    for (const seat of this.seats) this.compare(seat, recorded.get(seat) ?? [], rolls.get(seat) ?? []);
    const sum = (seat) => rolls.get(seat).reduce((total, die) => total + die, 0);
    const highest = Math.max(...this.openers.map(sum));
    this.openers = this.openers.filter((seat) => sum(seat) === highest);
    this.rolls++;
  }

  /** @override */
  follow(kind, fact) {
    if (kind === "rolled") return this.give(fact.only, fact.dice);
    this.allGiven();
    if (kind === "starter_rolled") {
      this.rollForOpener(new Map(fact.rolls));
    } else if (kind === "round_started") {
      this.beginRound(fact.number, fact.opener);
      for (const seat of this.seats) {
        const count = this.dice[seat];
        if (count) this.due.set(seat, this.throw(count, this.round, "hand", seat, 0));
      }
    } else if (kind === "revealed") {
      for (const seat of this.seats) this.compare(seat, fact.hands[seat], this.hands[seat]);
    } else if (kind === "die_lost") {
      this.dice[fact.seat]--;
    } else if (kind === "die_regained") {
      this.dice[fact.seat]++;
    } else if (kind === "eliminated") {
      this.dice[fact.seat] = 0;
    }
  }
}

offer(Draws);
