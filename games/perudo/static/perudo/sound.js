// Perudo's sounds, and what on the page makes them; see sound.js of every table.

const calm = matchMedia("(prefers-reduced-motion: reduce)"); // who wants less motion hears less too
const $ = (selector) => document.querySelector(selector);

export function sounds({ noise, thud, tune }) {
  const grain = (i) => noise(i * 0.06 + Math.random() * 0.03, 1500 + Math.random() * 2000, 2500, 0.05, 0.5);
  return {
    shake: () => [...Array(10).keys()].forEach(grain),
    bid: () => thud(0, 200, 0.7),
    knock: () => [0, 0.18].forEach((at) => thud(at, 130, 1)),
    lift: () => noise(0, 400, 2600, 0.4, 0.3),
    lost: () => tune(0, 0.18, 330, 247),
    gained: () => tune(0, 0.12, 392, 523, 659),
    turn: () => tune(0.25, 0.13, 659, 880),
  };
}

export const touch = { turn: 60, mine: [90, 60, 90] }; // my turn, my lost die
const isMine = (element) => element.closest(".seat")?.dataset.seat === $("[data-me]").dataset.me;

// A reveal: each cup, each die that counts, the die that goes or comes back.
export function* moves(animation, element) {
  yield { open: "lift", "light-up": "bid", lose: "lost", regain: "gained" }[animation];
  if (animation === "lose" && isMine(element)) yield "mine";
}

// What follows from what the swapped #table and #own show.
export function look() {
  const { phase = "" } = $("#table").dataset;
  const said = $("#table [data-fresh]")?.dataset.fresh ?? ""; // the bid or reveal in the middle
  return { phase, said, turn: $("#own.is-turn") ? `after ${said}` : "", up: $("#table [data-reveal]") };
}

export function* news(before, now) {
  if (!document.hidden) {
    if (now.up) {
      if (before.up) return;
      yield "knock";
      if (!calm.matches) return; // the rest sounds as it moves
      for (const loss of document.querySelectorAll(".seat-change.is-loss")) {
        yield "lost";
        if (isMine(loss)) yield "mine";
      }
      if ($(".seat-change.is-gain")) yield "gained";
    } else if (now.said && now.said !== before.said) yield "bid";
    else if (now.phase === "turn" && !now.said && (before.said || !before.phase) && !calm.matches)
      yield "shake";
  }
  if (now.turn && now.turn !== before.turn) yield "turn";
}
