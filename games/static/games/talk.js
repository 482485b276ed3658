// The chat: new messages are announced, counted while unread and shown at the seats, unless muted.

import { hush, say } from "./bubbles.js";

/** @type {FindAll} */
const all = (selector) => [...document.querySelectorAll(selector)];
const panel = document.getElementById("talk-panel");
const aloud = document.getElementById("overheard");
const button = document.getElementById("quiet");
const about = document.getElementById("talk-about");
const mine = (message) => message.dataset.seat === panel.closest("[data-me]").dataset.me;
const key = `quiet:${panel.dataset.table}`;

const number = ({ dataset }) => Number(dataset.said);
let last = Math.max(0, ...all("[data-said]").map(number));
let unread = 0;
let quiet = false;
try {
  quiet = !!localStorage.getItem(key);
} catch {}

function show() {
  button.hidden = false;
  button.setAttribute("aria-pressed", quiet);
  panel.toggleAttribute("data-quiet", quiet);
  for (const mark of all(".unread")) {
    mark.hidden = !unread;
    mark.firstElementChild.textContent = `${unread}`;
  }
}

function hear() {
  const fresh = all("[data-said]").filter((message) => number(message) > last).reverse();
  if (fresh.length) last = number(fresh.at(-1));
  if (sent && fresh.some((message) => mine(message) && message.innerText.includes(sent))) {
    isSaid(); // though its answer may have been lost
    document.dispatchEvent(new Event("site:stored"));
  }
  if (quiet) return;
  say(fresh);
  const others = fresh.filter((message) => !mine(message));
  if (!others.length) return;
  aloud.textContent = others.map((message) => message.querySelector("p").textContent).join(" ");
  if (!panel.open) unread += others.length;
  show();
}

panel.addEventListener("toggle", () => {
  if (panel.open) unread = 0;
  show();
});

button.addEventListener("click", () => {
  quiet = !quiet;
  try {
    quiet ? localStorage.setItem(key, "yes") : localStorage.removeItem(key);
  } catch {}
  hush();
  aloud.textContent = "";
  unread = 0;
  show();
});

for (const opener of all(".talk-link, .say-opener"))
  opener.addEventListener("click", (event) => {
    event.preventDefault(); // a reload comes back to the table
    if (!(panel.open = !panel.open)) return;
    panel.scrollIntoView({ block: "nearest" });
    panel.firstElementChild.focus({ preventScroll: true });
  });
// What was typed since a message was sent stays.
const text = document.getElementById("say-text");
let sent = "";
text?.form.addEventListener("submit", () => (sent = text.value));
function isSaid() {
  if (text.value === sent) text.form.reset();
  sent = "";
}
document.addEventListener("said", ({ target }) => target === text?.form && isSaid());
document.addEventListener("site:swapped", hear);

// Muting and reporting open inside the panel.
about.addEventListener("htmx:afterSwap", () => about.firstElementChild?.focus());
about.addEventListener("click", (event) => {
  if (!event.target.closest("[data-close]")) return;
  event.preventDefault();
  event.stopPropagation();
  about.replaceChildren();
  panel.firstElementChild.focus();
}, { capture: true });

panel.open = matchMedia("(width >= 60rem)").matches && !!all(".room, .seat ~ .seat a")[0];
show();
