// What is said rises for a moment at its seat; a reaction flies from the face onto free wood, below all else.

const [WORDS_MS, REACTION_MS] = [6000, 2000];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const bubbles = new Map(); // by seat: its message's number, until when, and where a reaction lands

const drawn = (words) => words.parentElement.querySelector("svg"); // a reaction, not words
const lasts = (words) => (drawn(words) ? REACTION_MS : WORDS_MS);

export function hush() {
  bubbles.clear();
  setDown();
}

// Messages, the oldest first.
export function say(messages) {
  for (const message of messages) {
    if (!message.dataset.seat) continue;
    const ms = lasts(message.querySelector(".words"));
    bubbles.set(message.dataset.seat, { said: message.dataset.said, until: performance.now() + ms });
    setTimeout(setDown, ms + 50);
  }
  setDown();
}

// Again after each swap of the table.
function setDown() {
  for (const old of document.querySelectorAll("#table .bubble:not(.of-bot)")) old.remove();
  for (const [seat, each] of bubbles) {
    const words = document.querySelector(`[data-said="${each.said}"] .words`); // none: muted since
    if (!words || each.until <= performance.now()) bubbles.delete(seat);
    else show(document.querySelector(`#table .seat[data-seat="${seat}"]`), words, each);
  }
}

// Screen readers have announced it. The animation goes on where it was before a swap.
function show(seat, words, each) {
  if (!seat) return;
  const shown = Object.assign(document.createElement("p"), { className: "bubble", ariaHidden: "true" });
  shown.style.animationDelay = `${each.until - lasts(words) - performance.now()}ms`;
  shown.append((drawn(words) ?? words.firstChild).cloneNode(true));
  seat.append(shown);
  const way = drawn(words) && !calm.matches && (each.way ??= wayFrom(seat, shown.offsetHeight));
  if (!way) return;
  shown.classList.add("flies");
  ["left", "top", "--x", "--y"].forEach((name, i) => shown.style.setProperty(name, `${way[i]}px`));
  seat.closest(".board").querySelector(".wood").after(shown);
}

// Where it begins on the board and how far it flies: to a place that is free, near the way to the middle; where all
// is narrow its edges are covered. null: there is none. The board of a room has no middle.
function wayFrom(seat, size) {
  const board = seat.closest(".ring .board");
  if (!board || !size) return null;
  const { left, top, width, height } = board.getBoundingClientRect();
  const boxes = (of, parts) => [...of.querySelectorAll(parts)].map((each) => each.getBoundingClientRect());
  const [face = seat.getBoundingClientRect()] = boxes(seat, ".avatar").filter((box) => box.width);
  const [x, y] = [face.left + face.width / 2 - left, face.top + face.height / 2 - top];
  const [aim, high] = [x + .6 * (width / 2 - x), y + .6 * (height / 2 - y)];
  const taken = boxes(board, ".seat, .middle > *").filter((box) => box.width);
  const ends = [...bubbles.values()].flatMap(({ way }) => way ? [[way[0] + way[2], way[1] + way[3]]] : []);
  const isFree = (at, up, half) =>
    !taken.some((box) =>
      Math.max(box.left - left - at, at + left - box.right, box.top - top - up, up + top - box.bottom) < half
    ) && !ends.some((end) => Math.hypot(end[0] - at, end[1] - up) < size);
  for (const half of [.6, .45, .3, .1]) {
    let way = null, least = width / 2;
    for (let up = size; up < height - size; up += size / 4) {
      for (let at = size; at < width - size; at += size / 4) {
        const off = Math.hypot(at - aim, up - high);
        if (off < least && isFree(at, up, half * size)) [way, least] = [[x, y, at - x, up - y], off];
      }
    }
    if (way) return way;
  }
  return null;
}
