// A table on a big screen: full screen, reactions, and on to the rematch by itself.

import { say } from "./bubbles.js";

const root = document.documentElement;
/** @type {Find} */
const $ = (selector) => document.querySelector(selector);

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#full-screen")) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen().catch(() => {}); // the browser says why not
});

function show() {
  const button = $("#full-screen");
  button.hidden = !document.fullscreenEnabled;
  button.ariaPressed = `${Boolean(document.fullscreenElement)}`;
}
document.addEventListener("fullscreenchange", show);

// ---- reactions, those that come while the page is there

const all = () => [...document.querySelectorAll("#reactions [data-said]")];
const number = ({ dataset }) => Number(dataset.said);
let last = Math.max(0, ...all().map(number));

function hear() {
  const fresh = all().filter((each) => number(each) > last).reverse();
  last = Math.max(last, ...fresh.map(number));
  say(fresh);
}

// ---- the rematch: once it has begun, or when the ranking could be read

const READ = 15_000; // ms
let ended = 0; // when the ranking was there first, by performance.now(); 0: not yet
let timer = 0;

function follow() {
  clearTimeout(timer);
  if (!$("#table[data-phase=over]") || "suspense" in root.dataset) return;
  ended ||= performance.now();
  const next = $("#own .after a.primary")?.getAttribute("href");
  const wait = $("#own [data-next]") ? 0 : ended + READ - performance.now();
  if (next) timer = setTimeout(go, wait, `${next}/board`);
}

// Another page would not be in full screen: there the new board takes the place of the old one.
async function go(path) {
  const answer = document.fullscreenElement && await fetch(path).catch(() => null);
  if (!answer?.ok) return location.replace(path);
  const html = await answer.text();
  history.replaceState(null, "", path);
  ended = 0;
  htmx.swap(".big-screen", html, { swapStyle: "outerHTML" }, { select: ".big-screen" });
  show();
}

document.addEventListener("site:swapped", hear);
for (const event of ["site:swapped", "site:told"]) document.addEventListener(event, follow);
show();
follow();
