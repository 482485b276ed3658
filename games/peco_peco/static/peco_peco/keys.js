// The keys of a turn; see keys.js of every table.

const own = (selector) => document.querySelector(`#own ${selector}`);

function choose(card) {
  if (!card || card.disabled) return false;
  card.checked = true;
  card.focus();
  card.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

// Does what a key stands for; false where it stands for nothing.
export function press(key, sign, on) {
  const value = { d: "declare", a: "accuse", w: "waive" }[sign];
  if (value) {
    // The first press moves the focus, the second presses the button: a slip costs no card.
    const button = own(`[value=${value}]:enabled`);
    button === on ? button?.click() : button?.focus();
    return Boolean(button);
  }
  const hand = [...document.querySelectorAll("#own .hand input")];
  if (/[1-9]/.test(sign)) return choose(hand[sign - 1]);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by && (!on || on.name === "card")) {
    const playable = hand.filter(({ disabled }) => !disabled);
    const at = playable.findIndex(({ checked }) => checked);
    return choose(playable.at(at < 0 ? Math.min(by, 0) : (at + by) % playable.length));
  }
  if (key !== "Enter" || (on && on.name !== "card")) return false;
  const chosen = own(".hand :checked");
  if (!chosen) return false;
  if ("steals" in chosen.dataset) own(".victim")?.focus();
  else own(".play").click();
  return true;
}
