// Keeps what a person has begun while a fragment is swapped: what they chose or typed, what they
// opened, where they scrolled to, and the focus. Only what the new fragment still offers is kept. In
// a part with data-choice (a turn), values are kept as long as that stays the same.

import { FIELDS, morph, name } from "./morph.js";

const root = document.documentElement;
const body = document.body;

// ---- which element of the new fragment is the one of the old

const alike = (element, part) =>
  [...part.querySelectorAll(element.localName)].filter((other) => name(other) === name(element));

function counterpart(element, from, to) {
  if (element === from) return to;
  if (element.id) return to.querySelector(`#${CSS.escape(element.id)}`);
  return alike(element, to)[alike(element, from).indexOf(element)];
}

// ---- what people change: compared with what the server sent

const opened = new WeakMap(); // the details that a person opened or closed: whether it was open before
const touched = new WeakSet(); // the fields that a person chose or typed in: the offer may be their choice
const scrolled = new Set();
addEventListener("input", ({ target }) => touched.add(target), true);
addEventListener("click", ({ target }) => {
  touched.add(target);
  const details = target.closest?.("summary")?.closest("details");
  if (details && !opened.has(details)) opened.set(details, details.open);
}, true);
addEventListener("scroll", (/** @type {Event} */ { target }) => target !== document && scrolled.add(target), {
  capture: true,
  passive: true,
});

const isTicked = ({ type }) => type === "radio" || type === "checkbox";
const isChanged = (
  field,
) => (isTicked(field)
  ? field.checked !== field.defaultChecked
  : field.localName === "select"
  ? [...field.options].some((one) => one.selected !== one.defaultSelected)
  : field.value !== field.defaultValue);

function fill(field, old, part) {
  if (field.matches(":disabled") || field.type !== old.type) return;
  if (field.type === "radio") {
    for (const other of part.querySelectorAll("input[type=radio]"))
      if (other.name === field.name) other.checked = other === field;
  } else if (isTicked(field)) field.checked = old.checked;
  else if (old.localName !== "select") field.value = old.value;
  else for (const { value } of old.selectedOptions) {
      const option = [...field.options].find((one) => one.value === value && !one.disabled);
      if (option) option.selected = true;
    }
}

// Of radio buttons only the chosen one is told: the others follow. In a turn values belong together: all of
// them stay, or none where the one that was chosen is no longer offered.
function keep(fields, from, to) {
  const told = fields.filter((field) => field.type !== "radio" || field.checked);
  const pairs = told.map((field) => [counterpart(field, from, to), field]).filter(([new_]) => new_);
  const isGone = pairs.some(([new_, { type }]) => type === "radio" && new_.matches(":disabled"));
  if (from.dataset.choice && isGone) { for (const field of fields) touched.delete(field); }
  else for (const [new_, field] of pairs) fill(new_, field, to);
}

// Before the new part is shown: it begins as the person left the old one.
function prepare(from, to) {
  const fields = [...from.querySelectorAll(FIELDS)];
  const isBegun = (field) => touched.has(field) || isChanged(field);
  if (from.dataset.choice !== to.dataset.choice) { for (const field of fields) touched.delete(field); }
  else if (!from.dataset.choice) keep(fields.filter(isChanged), from, to);
  else if (fields.some(isBegun)) keep(fields, from, to);
  for (const old of from.querySelectorAll("details")) {
    const new_ = opened.has(old) && old.open !== opened.get(old) && counterpart(old, from, to);
    if (!new_) continue;
    opened.set(new_, new_.open);
    new_.open = old.open;
  }
}

// ---- scrolling: what stood at the top of a list still does when something new came above it

const edge = (element) => element.getBoundingClientRect().top;

// Where a box of the fragment, or around it, is scrolled to, and the child of its list that is seen
// first: a box around the fragment scrolls the fragment as its list.
function places(part) {
  for (const box of scrolled) if (!box.isConnected) scrolled.delete(box);
  return [...scrolled].filter((box) =>
    box.scrollTop + box.scrollLeft && (part.contains(box) || box.contains(part))
  ).map((box) => {
    const list = part.contains(box) ? box : part;
    const first = edge(list) < edge(box) + (list === box) &&
      [...list.children].find((child) => edge(child) + child.offsetHeight > edge(box));
    return {
      box,
      list,
      top: box.scrollTop,
      left: box.scrollLeft,
      text: first?.textContent,
      at: first ? edge(first) - edge(box) : 0,
    };
  });
}

function scroll(box, list, { top, left, text, at }) {
  box.scrollTo({ top, left, behavior: "instant" });
  const first = text && [...list.children].find((child) => child.textContent === text);
  if (first) box.scrollTop += edge(first) - edge(box) - at;
}

// ---- the focus, with what was selected in a text

function caret({ type, selectionStart: start, selectionEnd: end, selectionDirection: direction }) {
  return /^(text|search|url|tel|password|textarea)$/.test(type) ? [start, end, direction] : null;
}

function focusOf(part) {
  const at = document.activeElement;
  return at && at !== body && part.contains(at)
    ? { at, caret: caret(at), keeps: at.closest("[data-keeps-focus]")?.id }
    : null;
}

function focus(element, selected) {
  element.focus({ preventScroll: true });
  if (selected && document.activeElement === element) element.setSelectionRange(...selected);
}

// When the same control is gone, the focus goes to the first one of the part, or to the part itself.
function focusNear(id) {
  const part = document.getElementById(id);
  const at = document.activeElement;
  if (!part || !([null, body, part].includes(at) || at.matches(":disabled"))) return;
  focus(part.querySelector("[data-focus-first]:not(:disabled)") ?? part);
}

// ---- text that somebody has selected, for instance to copy it

// An end of the selection, and how to find it where its text is another one now.
function end(node, offset, from, to) {
  const around = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const isInside = from.contains(node);
  return {
    node,
    offset,
    around,
    twin: isInside && counterpart(around, from, to),
    at: around === node ? null : [...around.childNodes].indexOf(node),
  };
}

function found({ node, offset, around, twin, at }) {
  if (node.isConnected) return [node, offset];
  const there = around.isConnected ? around : twin;
  const now = there?.isConnected && (at === null ? there : there.childNodes[at]);
  return now ? [now, Math.min(offset, (now.data ?? now.childNodes).length)] : null;
}

function selectionOf(from, to) {
  const selected = getSelection();
  if (selected.isCollapsed || !selected.rangeCount || !selected.getRangeAt(0).intersectsNode(from))
    return null;
  return {
    text: selected.toString(),
    first: end(selected.anchorNode, selected.anchorOffset, from, to),
    last: end(selected.focusNode, selected.focusOffset, from, to),
  };
}

function select({ text, first, last }) {
  if (getSelection().toString() === text) return;
  const [from, to] = [found(first), found(last)];
  if (from && to) getSelection().setBaseAndExtent(from[0], from[1], to[0], to[1]);
}

// ---- around each swap

let after = []; // what is left to do when the new fragment stands in the page
let leaving = null; // the old one, while it is taken out
// A browser says that a text has changed when its field is removed: nobody has finished it.
addEventListener(
  "change",
  (event) => leaving?.contains(event.target) && event.stopImmediatePropagation(),
  true,
);

// The parts that most frames bring become the new ones in place (morph.js). Another seat, another phase
// of the game and a new roll begin anew, and so does what is timed from when it comes (data-swaps).
const hasPopover = "popover" in HTMLElement.prototype; // else its selector is an error
const MORPHED = ["table", "own"];
const BEGINS = ["seat", "phase", "fresh"];
const isMorphed = (from, to) =>
  from.id === "talk" ||
  MORPHED.includes(from.id) && !("swaps" in root.dataset) &&
    BEGINS.every((what) => from.dataset[what] === to.dataset[what]);

body.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const { target, fragment } = detail;
  const to = [...fragment.children].find(({ id }) => id === target.id);
  if (!to) return;
  leaving = target;
  prepare(target, to);
  const [scrolls, had] = [places(target), focusOf(target)];
  const pairs = scrolls.map((place) => [place, counterpart(place.list, target, to)]);
  const same = had && had.at !== target && counterpart(had.at, target, to);
  const selected = selectionOf(target, to);
  const popovers = hasPopover ? [...target.querySelectorAll(":popover-open[id]")].map(({ id }) => id) : [];
  after.push(() => {
    for (const id of popovers)
      if (!document.getElementById(id)?.matches(":popover-open"))
        document.getElementById(id)?.showPopover();
    for (const [place, counted] of pairs) {
      const list = counted?.isConnected ? counted : place.list; // a part that was morphed keeps its list
      if (list.isConnected) scroll(place.list === place.box ? list : place.box, list, place);
    }
    if (same?.isConnected) focus(same, had.caret);
    if (selected) select(selected);
    if (had?.keeps) queueMicrotask(() => focusNear(had.keeps)); // once the games' own scripts have done theirs
  });
  if (!isMorphed(target, to)) return;
  detail.shouldSwap = false;
  morph(target, to);
  htmx.process(target);
  finish();
});
body.addEventListener("htmx:oobAfterSwap", finish);

function finish() {
  const todo = after;
  after = [];
  leaving = null;
  for (const each of todo) each();
}
