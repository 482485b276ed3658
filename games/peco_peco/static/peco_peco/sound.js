// The sounds of Peco Peco, and what on the page makes them; see sound.js of every table.

const $ = (selector) => document.querySelector(selector);

export function sounds({ noise, thud, tune }) {
  return {
    deal: () => [...Array(6).keys()].forEach((i) => noise(i * 0.09, 2200, 3200, 0.05, 0.4)),
    play: () => thud(0, 240, 0.6),
    steal: () => noise(0, 700, 3000, 0.25, 0.4),
    pass: () => tune(0, 0.12, 294, 262),
    accuse: () => [0, 0.16].forEach((at) => thud(at, 130, 1)),
    caught: () => tune(0.7, 0.1, 330, 311, 220), // with the flag: see moments.css
    true: () => tune(0.7, 0.1, 440, 554, 659),
    win: () => tune(0.1, 0.12, 392, 523, 659),
    defeat: () => tune(0.1, 0.18, 330, 247),
    turn: () => tune(0.25, 0.13, 659, 880),
  };
}

export const touch = { turn: 60 }; // my turn

// What the swapped #table and #own show.
export function look() {
  const { kind = "", verdict = "", fresh = "" } = $("#table .board")?.dataset ?? {};
  return { kind, verdict, move: fresh, turn: $("#own.is-turn") ? `after ${fresh}` : "" };
}

export function* news(before, now) {
  if (!document.hidden && now.move !== before.move) {
    if (now.kind) yield now.kind;
    if (now.verdict) yield now.verdict;
  }
  if (now.turn && now.turn !== before.turn) yield "turn";
}
