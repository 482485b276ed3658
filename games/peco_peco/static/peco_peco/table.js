// The table of Peco Peco: cards that are new in the hand.

const cards = () => [...document.querySelectorAll("#own .held")];
const code = (held) => held.querySelector("input")?.value ?? held.dataset.card;

let before = null; // the cards of the last hand, by code; null: none was shown

function arrive() {
  const hand = cards();
  const codes = hand.map(code);
  const old = [...(before ?? codes)];
  hand.forEach((held, place) => {
    const known = old.indexOf(codes[place]);
    known < 0 ? held.classList.add("is-new") : old.splice(known, 1);
  });
  if (hand.length || !before) before = hand.length ? codes : null;
}
document.addEventListener("site:swapped", arrive);
arrive();

// Until a moment has shown how it ends (moments.css), neither the tab nor a screen reader tells; see site.js.
const root = document.documentElement;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let moving = null; // the board whose moment is shown; it stays while other things change
let end = 0;

function unveil() {
  clearTimeout(end);
  if (!("suspense" in root.dataset)) return;
  delete root.dataset.suspense;
  document.dispatchEvent(new Event("site:told"));
}

function hold() {
  const board = document.querySelector(".board.is-fresh");
  if (board && board === moving) return;
  moving = board;
  const after = !board || calm.matches
    ? 0
    : /^(win|defeat)$/.test(board.dataset.kind)
    ? 1900
    : board.dataset.verdict
    ? 1300
    : 0;
  if (!after) return unveil();
  root.dataset.suspense = "yes";
  clearTimeout(end);
  end = setTimeout(unveil, after);
}
document.addEventListener("site:swapped", hold);
hold();
