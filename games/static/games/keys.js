// The keyboard at the table, wherever the focus is but in a text. The list (#keys, opened by ? or its
// button) says what each key does, and turns the single ones off (WCAG 2.1.4). What the other keys do
// is the game's: its module exports press(key, sign, on, typed), true when the key stood for something.

import { prefer, preference } from "./preferences.js";

const list = document.getElementById("keys");
const single = list?.querySelector("input");
const TEXT = "input:not([type=radio], [type=checkbox], [type=number]), select, textarea";

if (single) single.checked = preference("keys") !== "off";
single?.addEventListener("change", () => prefer("keys", single.checked ? "on" : "off"));

// What a key stands for. By its place where the layout has nothing there that we know: the row of
// digits of a French keyboard, the letters of a Cyrillic one.
function signOf({ key, code, shiftKey }) {
  const letter = key.length === 1 ? key.toLowerCase() : "";
  if (/[a-z0-9]/.test(letter)) return letter;
  const named = key.length > 1 && !["Dead", "Process", "Unidentified"].includes(key);
  const [, digit, place] = (!named && code?.match(/^(?:Digit(\d)|Key([A-Z]))$/)) || [];
  if (digit && !shiftKey) return digit;
  return place && !/[?+-]/.test(letter) ? place.toLowerCase() : letter;
}

// `sign` is the letter, digit or sign that a key stands for, "" for others; `key` is that or its name, `on`
// the control that has the focus, and `typed` what the browser writes into a field.
function press(event, game) {
  const on = event.target.closest("a, button, summary, input, select, textarea, [tabindex='0']");
  const sign = signOf(event);
  if ((sign && single && !single.checked) || on?.matches(TEXT)) return false;
  if (sign !== "?" || !list) return game.press(sign || event.key, sign, on, event.key);
  list.togglePopover?.();
  return true;
}

export function listen(game) {
  document.addEventListener("keydown", (event) => {
    const free = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (free && press(event, game)) event.preventDefault();
  });
}
