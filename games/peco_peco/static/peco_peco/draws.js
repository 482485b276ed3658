// The draws of Peco Peco: the order of the stakes (Q4), who opens (Q8), every shuffle, and every card
// that is taken from a hand.

import { Game, offer } from "../games/draws.js";

const DECK = ["E", "C", "M"].flatMap((animal) =>
  [...Array(14).fill(""), ..."rrrdddssbb"].map((icon) => animal + icon)
);
// The stakes: the cards that each deals, and the extra cards of its winner in the next deal (Q35).
const DEALS = [4, 5, 4, 3, 5, 4];
const EXTRA = [0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, -1, 1, 0, 0, 1, -1, -1];
const STAKES = new Map(
  EXTRA.map((extra, at) => [`F${String(at + 1).padStart(2, "0")}`, { deals: DEALS[at % 6], extra }]),
);
// Facts that come right after these, and only there.
const THEN = new Map([
  ["game_started", "food_shuffled"],
  ["round_started", "food_shuffled"],
  ["hand_received", "card_turned"],
  ["discard_reshuffled", "pile_shuffled"],
  ["card_taken", "card_passed"],
  ["card_stolen", "cards_buried"],
  ["call_forgotten", "cards_buried"],
  ["hand_discarded", "cards_buried"],
]);
const ONLY_THEN = new Set(THEN.values());
const FIRST = "F01";

export class Draws extends Game {
  constructor(record) {
    super(record);
    const { short_pile: chosen, first_feast_on_top: onTop } = this.options;
    const isShort = chosen === "on" || (chosen === "auto" && this.seats.length >= 7);
    const pile = [...STAKES.keys()].filter((stake) => !isShort || STAKES.get(stake).deals !== 5);
    this.food = this.draws.shuffled(pile, 0, "stakes", "-", 0);
    if (onTop) this.food = [FIRST, ...this.food.filter((stake) => stake !== FIRST)];
    const won = this.proof.won_before;
    const purpose = won.length ? "rematch" : "opener";
    this.openers = [this.draws.oneOf(won.length ? won : this.seats, 0, purpose, "-", 0)];
    this.stake = "";
    this.extra = this.seats.map(() => 0);
    this.active = this.seats;
    this.clear();
  }

  /** The draw pile, the discard's top, the cards under it, and the number of draws so far. */
  clear() {
    this.pile = [];
    this.top = [];
    this.under = DECK;
    this.drawn = 0;
  }

  remove(seat, card) {
    const place = this.hands[seat].indexOf(card);
    if (place < 0) throw new RangeError(`${card} is not in the hand`);
    this.hands[seat] = this.hands[seat].toSpliced(place, 1);
  }

  /** A card is drawn from the hand, sorted by name. */
  loseOne(seat, recorded) {
    const hand = this.hands[seat].toSorted();
    this.compare(seat, [recorded], [this.draws.oneOf(hand, this.round, "card", seat, this.drawn)]);
    this.remove(seat, recorded);
    this.drawn++;
  }

  /** @override */
  follow(kind, fact) {
    const seat = fact.seat ?? fact.accused;
    const cards = fact.cards ?? fact.hand;
    if (kind === "hand_received") return this.give(seat, cards);
    const then = this.last === "hand_received" && this.top.length ? undefined : THEN.get(this.last);
    const isFirstPile = kind === "pile_shuffled" && !this.top.length;
    if (then !== kind && (then || (ONLY_THEN.has(kind) && !isFirstPile))) {
      throw new RangeError(`it comes after ${this.last}`);
    }
    const step = this.steps[kind];
    if (step) step(fact, seat, cards);
  }

  steps = {
    food_shuffled: ({ stakes }) => this.compare(null, stakes, this.food),
    round_started: ({ number, starter, stake }) => {
      this.beginRound(number, starter);
      this.compare(null, [stake], this.food.slice(0, 1));
      [this.stake, ...this.food] = this.food;
      this.clear();
    },
    discard_reshuffled: () => {
      if (this.pile.length) throw new RangeError("the draw pile is not empty");
    },
    pile_shuffled: (_, __, cards) => {
      const purpose = this.top.length ? "discard" : "deck";
      this.pile = this.draws.shuffled(this.under, this.round, purpose, "-", this.drawn);
      this.compare(null, cards, this.pile);
      this.under = [];
      this.drawn += this.top.length;
    },
    hands_dealt: () => {
      const { deals } = STAKES.get(this.stake);
      for (const each of this.active) this.take(each, Math.max(1, deals + this.extra[each]));
    },
    cards_drawn: ({ count }, seat) => this.take(seat, count),
    card_turned: ({ card }) => {
      this.compare(null, [card], this.pile.slice(0, 1));
      this.top = [card];
      this.pile = this.pile.slice(1);
    },
    card_played: ({ card }, seat) => {
      this.remove(seat, card);
      this.under = [...this.under, ...this.top];
      this.top = [card];
    },
    card_passed: ({ giver, taker, card }) => {
      this.loseOne(giver, card);
      this.hands[taker] = [...this.hands[taker], card];
    },
    cards_buried: (_, seat, cards) => this.bury(seat, cards),
    honesty_shown: (_, seat, cards) => this.bury(seat, cards),
    round_ended: ({ winner }) => {
      this.extra = this.seats.map((seat) => seat === winner ? STAKES.get(this.stake).extra : 0);
    },
    removed: (_, seat) => {
      this.active = this.active.filter((each) => each !== seat);
    },
  };

  take(seat, count) {
    this.due.set(seat, this.pile.slice(0, count));
    this.pile = this.pile.slice(count);
  }

  bury(seat, cards) {
    if (this.last === "card_stolen") {
      const [card, ...more] = cards;
      if (more.length) throw new RangeError("one card is taken");
      this.loseOne(seat, card);
    } else {
      this.compare(seat, cards, this.hands[seat].toSorted());
      this.hands[seat] = [];
    }
    this.under = [...this.under, ...cards];
  }
}

offer(Draws);
