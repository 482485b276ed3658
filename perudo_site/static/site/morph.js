// Makes a part of the page what the server sent, in place: what stays the same stays the same element,
// with its focus, its running animations and a press that has begun on it.

// ---- what is the same in two states of a page

export const FIELDS = "input:not([type=hidden], [type=file], [readonly]), select, textarea";
const CONTROLS = `a[href], button, summary, [tabindex], ${FIELDS}`;

// The words of a button say what it would do: "Remove Ana" must not become "Remove Bo".
function words(element) {
  if (!element.matches("a, button, summary")) return "";
  const copy = element.cloneNode(true);
  for (const mute of copy.querySelectorAll("[aria-hidden]")) mute.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

// What names an element but its id; elements that share it are counted.
export const name = (element) =>
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

// How long what is new on the page may move (.is-fresh, see site.js): a frame that comes later takes its
// mark of being new away.
const MOVES = 5000; // ms
const freshened = new WeakMap(); // when it came, by performance.now()

export function freshen(element) {
  element.classList.add("is-fresh");
  freshened.set(element, performance.now());
}

// What an element must share with another to become it. What moves when it is new is never the same as
// what was there before, and no button becomes another one under a finger.
function key(element) {
  const { fresh, seat, card, said, turn } = element.dataset;
  if (element.matches(CONTROLS)) return name(element) + element.id;
  if (element.localName === "label") return name(element.querySelector(FIELDS) ?? element) + element.htmlFor;
  return [element.id, element.classList[0], fresh, seat, card, said, turn].join("\n");
}

const isElement = ({ nodeType }) => nodeType === Node.ELEMENT_NODE;
const label = (node) => isElement(node) ? `${node.localName}\n${key(node)}` : node.nodeName;

export function morph(old, wanted) {
  const fields = [];
  change(old, wanted, fields);
  for (const [field, like] of fields) set(field, like);
}

// What a person sees in a field is set once all attributes are: a radio button that becomes the default
// takes the choice away from another.
function change(old, wanted, fields) {
  if (!isElement(old)) {
    // Other words are other words: they have not moved there.
    if (old.data !== wanted.data) old.replaceWith(wanted.cloneNode());
    return;
  }
  const moves = performance.now() - freshened.get(old) < MOVES;
  for (const { name, value } of wanted.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  if (moves) old.classList.add("is-fresh");
  let at = old.firstChild;
  const children = [...wanted.childNodes];
  const labels = children.map(label);
  for (const [place, child] of children.entries()) {
    let found = at;
    while (found && label(found) !== labels[place]) {
      const isWantedLater = isElement(found) && labels.includes(label(found), place + 1);
      found = isWantedLater ? null : found.nextSibling;
    }
    if (found) {
      at = removeUntil(at, found).nextSibling;
      change(found, child, fields);
    } else old.insertBefore(child, at);
  }
  removeUntil(at, null);
  if (old.matches(FIELDS)) fields.push([old, wanted]);
}

function removeUntil(at, end) {
  while (at !== end) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  return end;
}

// What a person sees in a field is no attribute.
function set(field, wanted) {
  if (field.checked !== wanted.checked) field.checked = wanted.checked;
  if (field.localName === "select") {
    // Set to the same, it would close the list that somebody has opened.
    if (field.selectedIndex !== wanted.selectedIndex) field.selectedIndex = wanted.selectedIndex;
  } else if (field.value !== wanted.value) field.value = wanted.value;
}
