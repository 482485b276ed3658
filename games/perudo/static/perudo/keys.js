// The keys of a bid and of the calls; see keys.js of every table.

const form = document.querySelector(".move-form");
const changed = (field) => field.dispatchEvent(new Event("change", { bubbles: true })); // table.js settles it

function choose(face) {
  if (!face) return;
  face.checked = true;
  face.focus();
  changed(face);
}

// Does what a key stands for; false where it stands for nothing.
export function press(key, sign, on, typed) {
  if (sign === "d" || sign === "c") {
    // The first press selects, the second confirms: a slip of the finger costs no die.
    const call = form.querySelector(`[value=${sign === "d" ? "dudo" : "calza"}]:enabled`);
    call === on ? call?.click() : call?.focus();
    return Boolean(call);
  }
  const number = form.querySelector('[name="quantity"]');
  if (!number || (on && !form.contains(on))) return false;

  const faces = [...form.querySelectorAll('[name="face"]:enabled')];
  const turn = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const by = { ArrowUp: 1, "+": 1, ArrowDown: -1, "-": -1 }[key];
  if (turn) choose(faces.at((faces.findIndex(({ checked }) => checked) + turn) % faces.length));
  else if (sign === "p") choose(faces.find(({ value }) => value === "1"));
  else if (by) {
    number.focus();
    number.value = Number(number.value) + by;
    changed(number);
  } else if (key === "Enter" && on === number) {
    const asked = number.value;
    changed(number);
    return number.value !== asked; // a number nobody typed is shown before it is said
  } else if (key === "Enter" && !on) form.querySelector(".say").click();
  else {
    if (!/[0-9]/.test(sign) || (sign === "0" && on !== number)) return false;
    if (on !== number) {
      number.focus();
      number.select();
    }
    if (typed === sign) return false; // the field takes the digit itself
    document.execCommand("insertText", false, sign); // at the caret; a number field has no other way
  }
  return true;
}
