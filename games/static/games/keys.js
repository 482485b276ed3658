// The keyboard at the table, wherever the focus is but in a text. The list (#keys, opened by ? or its
// button) says what each key does, and turns the single ones off (WCAG 2.1.4).

const list = document.getElementById("keys");
const single = list?.querySelector("input");
const KEY = "perudo-keys";

try { if (single) single.checked = localStorage.getItem(KEY) !== "off"; } catch {}
single?.addEventListener("change", () => {
  try { localStorage.setItem(KEY, single.checked ? "on" : "off"); } catch {}
});

// Does what a key stands for with table.js's hands; false where it stands for nothing.
function press({ key, target }, { settle, step, held }) {
  const form = document.querySelector("[data-bid]");
  const number = form?.querySelector('[name="quantity"]');
  const on = target.closest("a, button, summary, input, select, textarea, [tabindex='0']");
  const sign = key.length === 1 ? key.toLowerCase() : "";
  if (!form || (sign && single && !single.checked)) return false;
  if (on !== number && on?.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return false;
  if (sign === "?" && list) {
    list.togglePopover();
    return true;
  }
  if (sign === "d" || sign === "c") {
    // Once to go there, once more to say it: a slip of the finger costs no die.
    const call = form.querySelector(`[value=${sign === "d" ? "dudo" : "calza"}]:enabled`);
    call === on ? call?.click() : call?.focus();
    return Boolean(call);
  }
  if (!number || (on && !form.contains(on))) return false;

  const faces = [...form.querySelectorAll('[name="face"]:enabled')];
  const choose = (face) => {
    if (!face) return;
    face.checked = true;
    face.focus();
    settle(form);
  };
  const turn = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const by = { ArrowUp: 1, "+": 1, ArrowDown: -1, "-": -1 }[key];
  if (turn) choose(faces.at((faces.indexOf(held(form)) + turn) % faces.length));
  else if (sign === "p") choose(faces.find(({ value }) => value === "1"));
  else if (by) {
    number.focus();
    step(form, by);
  } else if (key === "Enter" && on === number) {
    const asked = number.value;
    settle(form);
    return number.value !== asked; // a number nobody typed is shown before it is said
  } else if (key === "Enter" && !on) form.querySelector(".say").click();
  else {
    if (!/[1-9]/.test(sign) || on === number) return false;
    number.focus();
    number.select();
    return false; // the field takes the digit itself
  }
  return true;
}

export function listen(hands) {
  document.addEventListener("keydown", (event) => {
    const free = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (free && press(event, hands)) event.preventDefault();
  });
}
