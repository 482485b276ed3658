// Keeps what a person has begun while a fragment is swapped: what they chose or typed, what they
// opened, where they scrolled to, and the focus. Only what the new fragment still offers is kept. In
// a part with data-choice (a turn), values are kept as long as that stays the same.

const body = document.body;
const FIELDS = "input:not([type=hidden], [type=file], [readonly]), select, textarea";
const CONTROLS = `a[href], button, summary, [tabindex], ${FIELDS}`;

// ---- which element of the new fragment is the one of the old

// The words of a button say what it would do: "Remove Ana" must not become "Remove Bo".
function words(element) {
  if (!element.matches("a, button, summary")) return "";
  const copy = element.cloneNode(true);
  for (const mute of copy.querySelectorAll("[aria-hidden]")) mute.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

// What names an element but its id; elements that share it are counted.
const name = (element) =>
  [
    element.localName,
    element.getAttribute("name"),
    element.getAttribute("href"),
    words(element),
    /^(radio|checkbox)$/.test(element.type) || element.localName === "button"
      ? element.getAttribute("value")
      : "",
    element.matches(`${CONTROLS}, details`) ? "" : element.classList[0],
  ].join("\n");

const alike = (element, part) =>
  [...part.querySelectorAll(element.localName)].filter((other) => name(other) === name(element));

function counterpart(element, from, to) {
  if (element === from) return to;
  if (element.id) return to.querySelector(`#${CSS.escape(element.id)}`);
  return alike(element, to)[alike(element, from).indexOf(element)];
}

// ---- what people change: compared with what the server sent

const opened = new WeakMap(); // the details that a person opened or closed: whether it was open before
const scrolled = new Set();
addEventListener("click", ({ target }) => {
  const details = target.closest?.("summary")?.parentElement;
  if (details && !opened.has(details)) opened.set(details, details.open);
}, true);
addEventListener("scroll", ({ target }) => target !== document && scrolled.add(target), {
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

// Before the new part is shown: it begins as the person left the old one.
function prepare(from, to) {
  if (from.dataset.choice === to.dataset.choice) {
    for (const field of from.querySelectorAll(FIELDS)) {
      const new_ = isChanged(field) && counterpart(field, from, to);
      // Of radio buttons only the chosen one is told: the others follow.
      if (new_ && (field.type !== "radio" || field.checked)) fill(new_, field, to);
    }
  }
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
  if (!part || (document.activeElement && document.activeElement !== body)) return;
  focus(part.querySelector("[data-focus-first]:not(:disabled)") ?? part);
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

body.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  const to = [...fragment.children].find(({ id }) => id === target.id);
  if (!to) return;
  leaving = target;
  prepare(target, to);
  const [scrolls, had] = [places(target), focusOf(target)];
  const pairs = scrolls.map((place) => {
    const list = counterpart(place.list, target, to);
    return [place.list === place.box ? list : place.box, list, place];
  });
  const same = had && had.at !== target && counterpart(had.at, target, to);
  const popovers = [...target.querySelectorAll(":popover-open[id]")].map(({ id }) => id);
  after.push(() => {
    for (const id of popovers)
      if (!document.getElementById(id)?.matches(":popover-open"))
        document.getElementById(id)?.showPopover?.();
    for (const [box, list, place] of pairs) if (list?.isConnected) scroll(box, list, place);
    if (same?.isConnected) focus(same, had.caret);
    if (had?.keeps) queueMicrotask(() => focusNear(had.keeps)); // once the games' own scripts have done theirs
  });
});
body.addEventListener("htmx:oobAfterSwap", () => {
  const todo = after;
  after = [];
  leaving = null;
  for (const finish of todo) finish();
});
