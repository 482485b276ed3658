// The sounds of Peco Peco, and what on the page makes them; see sound.js of every table.

import { ending, isPlaying, mySeat } from "../games/moment.js";
import { tunes } from "../games/tunes.js";

/** @type {Find} */
const $ = (selector) => document.querySelector(selector);

export function sounds({ strike, tune }) {
  const bowl = (at) => tune("bowl", at, 0.12, 0.5, 0, 5);
  const play = () => strike("card", 0, Math.random() * 2 - 1);
  return {
    ...tunes({ strike, tune }),
    sample: play,
    play,
    deal: () => tune("card", 0, 0.075, 0.6, 2, 3, 1, 3, 2, 4, 0),
    steal: () => strike("slide", 0, 0, 0.9),
    pass: () => tune("knock", 0, 0.13, 0.5, 9, 7),
    accuse: () => tune("knock", 0, 0.16, 1, 0, -2),
    stake: bowl,
    won: (at = 0) => {
      bowl(at);
      tune("note", at + 0.24, 0.07, 0.35, 0, 4, 7, 12);
    },
    defeat: (at = 0) => tune("bowl", at, 0.2, 0.5, -5, -9),
  };
}

const VERDICT = 60;
export const touch = {
  turn: 30,
  ...Object.fromEntries(["good", "bad", "neutral", "stake", "won", "defeat"].map((name) => [name, VERDICT])),
};

// What the swapped #table and #own show.
export function look() {
  const { kind = "", fresh = "" } = $("#table .board")?.dataset ?? {};
  const { phase = "" } = $("#table").dataset;
  return { kind, phase, move: fresh, turn: $("#own.is-turn") ? `after ${fresh}` : "" };
}

const isEnd = (kind) => kind === "win" || kind === "defeat";

// What came of an accusation, then of the stake.
export function* moves(animation, element) {
  if (animation !== "stamp") return;
  if (element.matches(".seat-flag")) yield* verdict(0);
  if (element.matches(".middle .right")) yield* outcomes(0);
}

let judged = "", settled = ""; // the moves whose verdict and whose outcome for the stake were heard

function* verdict(at) {
  const { verdict, fresh } = $("#table .board").dataset;
  if (!verdict || judged === fresh) return;
  judged = fresh;
  if (isMine(".is-bluff") || (verdict === "true" && isMine(".is-accuse"))) yield ["bad", at];
  else yield [isMine(".is-honest") || isMine(".is-accuse") ? "good" : "neutral", at];
}

function* outcomes(at) {
  const { kind, fresh } = $("#table .board").dataset;
  yield* verdict(at);
  if (!isEnd(kind) || settled === fresh) return;
  settled = fresh;
  yield [kind === "defeat" ? "defeat" : mySeat()?.matches(".is-winner") ? "won" : "stake", at];
}

const isMine = (flag) => Boolean(mySeat()?.querySelector(`.seat-flag${flag}`));

export function* news(before, now) {
  if (!document.hidden) {
    if (now.move && now.move !== before.move) {
      if ($("#table .seat-flag.is-accuse")) yield "accuse";
      else if (!isEnd(now.kind)) yield now.kind;
      if (!isPlaying()) yield* outcomes(0.45);
    }
    if (now.phase === "over" && before.phase !== "over" && !isPlaying())
      yield [ending(), now.move === before.move ? 0 : 1.4];
  }
  if (!now.turn || now.turn === before.turn) return;
  if (isPlaying()) turnWaits = true;
  else yield ["turn", $("#table .seat-flag.is-accuse") ? 0.9 : 0];
}

let turnWaits = false; // one's turn has come with a moment, and is heard after it

// A moment has come to its end.
export function* told() {
  if (!document.hidden) {
    yield* outcomes(0);
    if ($("#table").dataset.phase === "over") yield ending();
  }
  if (turnWaits && $("#own.is-turn")) yield "turn";
  turnWaits = false;
}
