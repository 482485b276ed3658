// The keyboard at the table, wherever the focus is but in a text. The list (#keys, opened by ? or its
// button) says what each key does, and turns the single ones off (WCAG 2.1.4). What the other keys do
// is the game's: its module exports press(key, sign, on), true when the key stood for something.

const list = document.getElementById("keys");
const single = list?.querySelector("input");
const KEY = "perudo-keys";
const TEXT = "input:not([type=radio], [type=checkbox], [type=number]), select, textarea";

try { if (single) single.checked = localStorage.getItem(KEY) !== "off"; } catch {}
single?.addEventListener("change", () => {
  try { localStorage.setItem(KEY, single.checked ? "on" : "off"); } catch {}
});

// `sign` is the letter, digit or sign of the key, "" for others; `on` is the control that has the focus.
function press({ key, target }, game) {
  const on = target.closest("a, button, summary, input, select, textarea, [tabindex='0']");
  const sign = key.length === 1 ? key.toLowerCase() : "";
  if ((sign && single && !single.checked) || on?.matches(TEXT)) return false;
  if (sign !== "?" || !list) return game.press(key, sign, on);
  list.togglePopover();
  return true;
}

export function listen(game) {
  document.addEventListener("keydown", (event) => {
    const free = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (free && press(event, game)) event.preventDefault();
  });
}
