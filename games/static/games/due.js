// What is open makes room for what is due: when one's turn, a reveal to confirm or a question begins, the
// chat and whatever else lies over the controls is folded. Once: who opens it again keeps it open.

const asked = () => {
  const own = document.getElementById("own");
  if (!own) return [];
  const questions = [...own.querySelectorAll("[data-asks]")].map(({ dataset }) => dataset.asks);
  return own.matches(".is-turn") ? ["turn", ...questions] : questions;
};

const lieOver = (part, own) => {
  const [a, b] = [part.getBoundingClientRect(), own.getBoundingClientRect()];
  return a.width > 0 && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
};

let known = asked();
document.addEventListener("site:swapped", () => {
  const before = known;
  known = asked();
  if (known.every((each) => before.includes(each))) return;
  const own = document.getElementById("own");
  const chat = document.getElementById("talk-panel");
  // A dialog is itself a question that was asked.
  const sheets = [...document.querySelectorAll("[popover]:not([role=dialog])")];
  for (const sheet of sheets.filter((each) => lieOver(each, own))) sheet.hidePopover?.();
  if (!chat?.open || !lieOver(chat, own)) return;
  const isThere = chat.contains(document.activeElement);
  chat.open = false; // what was typed stays
  if (isThere) own.focus({ preventScroll: true });
});
