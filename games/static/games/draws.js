// Computes every draw of a finished game from its record, in the reader's browser; verify.py does the
// same in Python. A game's own part (`<game>/draws.js`) knows which draws its facts tell.

import { hmac, sha256 } from "./noble-hashes/sha256.js";

const HEX = /^[0-9a-f]{64}$/;
const MOST_TOLD = 20;
const encoder = new TextEncoder();

const lines = (purpose, items) =>
  encoder.encode([`draws/${purpose}/1`, ...items.map((item) => item ?? "-")].join("\n"));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
export const hash = (purpose, ...items) => hex(sha256(lines(purpose, items)));

/** What this browser has stored of the tables it added to: seal, salt and root by the code (parts.js). */
export function noted() {
  try {
    return JSON.parse(localStorage.getItem("draws") ?? "{}");
  } catch {
    return {}; // nothing may be stored here
  }
}

/** JSON with names in order, without spaces, in ASCII. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value && typeof value === "object") {
    const items = Object.keys(value).sort().map((name) => `${canonical(name)}:${canonical(value[name])}`);
    return `{${items.join()}}`;
  }
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);
}

/** What each address draws. */
class Draws {
  constructor(proof) {
    this.secret = bytes(proof.secret);
    this.key = hash("key", proof.root, ...proof.salts);
    this.count = 0;
  }

  /** @returns {Generator<number, never>} the bytes at an address */
  *stream(address) {
    for (let block = 0;; block++) {
      yield* hmac(sha256, this.secret, lines("draw", [this.key, ...address, block]));
    }
  }

  /** One number below each of these bounds. */
  numbers(bounds, ...address) {
    this.count++;
    const stream = this.stream(address);
    return bounds.map((bound) => {
      if (!(bound >= 1 && bound <= 256)) throw new RangeError(`nothing is drawn from ${bound}`);
      let byte = stream.next().value;
      while (byte >= 256 - 256 % bound) byte = stream.next().value;
      return byte % bound;
    });
  }

  oneOf = (items, ...address) => items[this.numbers([items.length], ...address)[0]];

  shuffled(items, ...address) {
    const order = [...items];
    const bounds = order.map((_, place) => place + 1).slice(1).reverse();
    this.numbers(bounds, ...address).forEach((other, number) => {
      const place = bounds[number] - 1;
      [order[place], order[other]] = [order[other], order[place]];
    });
    return order;
  }
}

/** Compares each fact of a record with the draws; then it goes on with what was recorded. */
export class Game {
  constructor(record) {
    this.options = record.options;
    this.proof = record.proof;
    this.draws = new Draws(record.proof);
    this.seats = record.players.map((_, seat) => seat);
    this.openers = this.seats; // who may still open the first round
    this.round = 0;
    this.last = ""; // the kind of the fact before
    this.hands = this.seats.map(() => []);
    this.due = new Map(); // the hands to be given next, by seat
    this.problems = [];
  }

  check(facts) {
    [...facts, { kind: "the end" }].every((fact, number) => {
      try {
        this.follow(fact.kind, fact);
      } catch (error) {
        this.wrong(null, number + 1, fact.kind, String(error.message));
        return false; // the rest cannot be checked
      }
      this.last = fact.kind;
      return true;
    });
    return this.problems;
  }

  /** Compares one fact: a game's own part. */
  follow(_kind, _fact) {
    throw new Error("not a game");
  }

  wrong(seat, at, was, due) {
    this.problems.push({ round: this.round, seat, at, was, due });
  }

  compare(seat, recorded, expected) {
    const length = Math.max(recorded.length, expected.length);
    for (let at = 0, told = 0; at < length && told < 5; at++) {
      if (recorded[at] === expected[at]) continue;
      this.wrong(seat, at + 1, recorded[at] ?? "–", expected[at] ?? "–");
      told++;
    }
  }

  /** Compares a hand in any order: what is expected stands beside its equal. */
  give(seat, recorded) {
    const left = this.due.get(seat) ?? [];
    this.due.delete(seat);
    const take = (place) => place < 0 ? undefined : left.splice(place, 1)[0];
    const beside = recorded.map((each) => take(left.indexOf(each)));
    this.compare(seat, recorded, [...beside.map((each) => each ?? left.shift()), ...left]);
    this.hands[seat] = [...this.hands[seat], ...recorded];
  }

  allGiven() {
    for (const [seat, hand] of this.due) this.compare(seat, [], hand);
    this.due = new Map();
  }

  /** Only who opens the first round is drawn. */
  beginRound(number, opener) {
    this.round++;
    this.hands = this.seats.map(() => []);
    this.compare(null, [number], [this.round]);
    if (this.round === 1) this.compare(opener, [opener], this.openers);
  }
}

/** Whether the published hashes are those of what the record tells. */
function isSealed({ game, options, players, facts, proof }) {
  const { code, secret, commitment, salts, parts, root, won_before: won } = proof;
  const rules = hash("rules", game, canonical(options));
  const hashes = [secret, commitment, root, ...[...salts, ...parts].filter((each) => each !== null)];
  const [started] = facts;
  return hashes.every((each) => HEX.test(each)) &&
    salts.length === players.length && parts.length === players.length &&
    hash("commit", code, secret) === commitment &&
    salts.every((salt, seat) => salt === null || hash("part", code, salt) === parts[seat]) &&
    hash("root", code, rules, commitment, won.join() || null, ...parts) === root &&
    started.seats === players.length && canonical(started.options) === canonical(options);
}

/** How many draws were checked, and what is wrong; an empty list without a `round`: the seal. */
export function verdict(record, Part) {
  if (!isSealed(record)) return { count: 0, sealed: false, problems: [] };
  const game = new Part(record);
  const problems = game.check(record.facts);
  return { count: game.draws.count, sealed: true, problems };
}

/** What the record says of what this browser noted: a name of what the page has to say. */
function ofOwn({ code, commitment, root, salts }) {
  const mine = noted()[code];
  if (!mine?.root) return "alone";
  if (mine.seal !== commitment || mine.root !== root) return "exchanged";
  return salts.includes(mine.salt) ? "own" : "late";
}

/** Lets the page check the game with this part when its button is pressed. */
export function offer(Part) {
  const button = document.querySelector("#check-draws");
  const says = document.querySelector("#draws-checked");
  if (!(button instanceof HTMLButtonElement) || !says) return; // the game is not over
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    says.textContent = "";
    try {
      const answer = await fetch(button.value);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      tell(await answer.json());
    } catch {
      say(says.dataset.failed);
    }
    button.disabled = false;
  });

  function say(text, tag = "p") {
    const line = document.createElement(tag);
    line.textContent = text;
    says.append(line);
    return line;
  }

  function tell(record) {
    const { count, sealed, problems } = verdict(record, Part);
    if (!sealed) return say(says.dataset.unsealed);
    if (!problems.length) {
      const proved = says.dataset.proved.replace(
        "{count}",
        count.toLocaleString(document.documentElement.lang),
      );
      const own = ofOwn(record.proof);
      if (own !== "exchanged") say(proved).classList.add("proved");
      return say(says.dataset[own]);
    }
    say(says.dataset.wrong);
    const list = says.appendChild(document.createElement("ul"));
    for (const { round, seat, at, was, due } of problems.slice(0, MOST_TOLD)) {
      const where = [says.dataset.round.replace("{round}", round), record.players[seat], at];
      const line = document.createElement("li");
      const place = where.filter((each) => each !== undefined).join(" · ");
      line.textContent = [place, `${was} ≠ ${due}`].join(": ");
      list.append(line);
    }
  }
}
