// Perudo's sounds, and what on the page makes them; see sound.js of every table.

import { ending, isPlaying, mySeat } from "../games/moment.js";
import { tunes } from "../games/tunes.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)"); // who wants less motion hears less too
/** @type {Find} */
const $ = (selector) => document.querySelector(selector);
/** @type {FindAll} */
const $$ = (selector) => [...document.querySelectorAll(selector)];

const LOWEST = -5; // semitones: the first die; at the bid they are an octave higher

export function sounds({ strike, tune }) {
  const bid = () => {
    strike("die", 0, -7, 0.7);
    strike("knock", 0.01, 8, 0.5);
  };
  return {
    ...tunes({ strike, tune }),
    sample: bid,
    bid,
    roll: () => strike("roll", 0, Math.random() * 2 - 1),
    dudo: () => tune("knock", 0, 0.18, 1, 0, -2),
    calza: () => tune("knock", 0, 0.11, 0.9, 7, 7, 2),
    palifico: () => {
      tune("knock", 0, 0.07, 0.4, -2, 0, -2, 0, -2);
      tune("note", 0.35, 0, 0.4, -9, -2);
    },
    lift: () => strike("lift", 0, Math.random() * 2 - 1, 0.6),
    die: (_, near) => strike("die", 0, LOWEST + 12 * near),
    met: () => tune("note", 0, 0, 0.25, 12, 19),
    lost: (at = 0) => {
      tune("die", at, 0.13, 0.8, -4, -7);
      tune("die", at + 0.23, 0.06, 0.4, -8, -9);
    },
    gained: (at = 0) => tune("die", at, 0.1, 0.8, -4, 0, 5),
  };
}

const VERDICT = 60;
export const touch = { turn: 30, die: 10, good: VERDICT, bad: VERDICT, neutral: VERDICT };

// What follows from what the swapped #table and #own show.
export function look() {
  const { phase = "" } = $("#table").dataset;
  const said = $("#table [data-fresh]")?.dataset.fresh ?? ""; // the bid or reveal in the middle
  return { phase, said, turn: $("#own.is-turn") ? `after ${said}` : "", up: reveal() };
}

const reveal = () => $("#table [data-reveal]")?.dataset.fresh ?? "";

// A reveal: each cup, each die that counts, the verdict, the die that goes or comes back. The reader's own
// lie open below the board, where they nod, and what becomes of them is said in words.
export function* moves(animation, element) {
  if (animation === "uncup") yield "lift";
  if (/^(light-up|nod)$/.test(animation)) yield* reached(element.dataset.order);
  if (animation === "stamp" && element.matches(".verdict")) yield* verdict(0);
  if (animation === "lose") yield "lost";
  if (animation === "regain") yield "gained";
  if (animation === "stamp" && element.matches(".became.is-loss")) yield "lost";
  if (animation === "stamp" && element.matches(".became.is-gain")) yield "gained";
  if (animation === "shout" && element.matches(".mark.loud")) yield "palifico";
}

// A die that counts: how near the count has come to the bid, and whether it has just met it.
function* reached(step) {
  const count = $$("#table .hand .lit").filter(({ dataset }) => dataset.order <= step).length;
  const bid = Number($("#table .reveal .of b").textContent);
  yield ["die", 0, Math.min(1, count / bid)];
  if (count === bid) yield "met";
}

let called = "", judged = ""; // the reveals whose call and whose verdict were heard

function* verdict(at) {
  if (judged === reveal()) return;
  judged = reveal();
  yield [outcome(), at];
}

// For this reader: bad if they lose a die, good if they were in it and do not.
function outcome() {
  const mine = mySeat();
  if (!mine) return "neutral";
  if (mine.querySelector(".is-loss")) return "bad";
  return mine.matches(".is-bidder") || mine.querySelector(".is-shout, .is-gain") ? "good" : "neutral";
}

export function* news(before, now) {
  const isNew = now.up && now.up !== before.up && now.up !== called;
  if (isNew) called = now.up;
  if (!document.hidden) {
    if (isNew) yield* reveals();
    else if (!now.up) yield* plays(before, now);
    if (now.phase === "over" && before.phase !== "over" && !isPlaying()) yield [ending(), isNew ? 1.4 : 0];
  }
  if (now.turn && now.turn !== before.turn) yield "turn";
}

function* reveals() {
  yield /calza/i.test($("#table .call b").textContent) ? "calza" : "dudo";
  if (!isPlaying()) yield* atOnce();
}

function* plays(before, now) {
  if (now.said && now.said !== before.said) yield "bid";
  else if (now.phase === "turn" && !now.said && (before.said || !before.phase)) {
    if (!calm.matches) yield "roll";
    else if ($("#table .mark.loud")) yield "palifico";
  }
}

// A reveal that stands there with all that came of it.
function* atOnce() {
  yield* verdict(0.45);
  if ($("#table .seat-change.is-loss")) yield ["lost", 0.9];
  if ($("#table .seat-change.is-gain")) yield ["gained", 0.9];
}

// A reveal has come to its end, or a press skipped it.
export function* told() {
  if (document.hidden || !reveal()) return;
  const late = judged === reveal() ? 0 : 0.7;
  yield* verdict(0);
  if ($("#table").dataset.phase === "over") yield [ending(), late];
}
