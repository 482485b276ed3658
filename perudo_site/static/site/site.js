// What every page needs: the tab's title and announcements for screen readers. These run first:
// reconnect.js (the connection), clock.js (the server's time), keep.js (what a swap would lose).

import { freshen } from "./morph.js";

const root = document.documentElement;
const body = document.body;

// ---- after a swap

const live = document.getElementById("live");
const seen = new Set();

const all = (name) =>
  [...document.querySelectorAll(`[data-${name}]`)].map((e) => e.dataset[name]).filter(Boolean);

// While a game plays a reveal (data-suspense, set by its own module), neither the tab nor a screen
// reader tells how it ends; "site:told" says that it was shown.
const suspense = () => "suspense" in root.dataset;

// The last fragment to name a title has its way: one's own turn over the table's news.
function title() {
  if (suspense()) return;
  const titles = all("title");
  if (titles.length) document.title = titles.at(-1);
}

// Announces what the fragments tell: data-alone, to this reader, or else data-narration of all of them.
const told = () => (all("alone")[0] || all("narration").join(" "));
let spoken = told();
let held = []; // what happened meanwhile
function announce() {
  const words = told();
  if (words && words !== spoken) held.push(words);
  spoken = words;
  if (suspense() || !held.length) return;
  live.textContent = held.join(" ");
  held = [];
}
document.addEventListener("site:told", () => {
  title();
  announce();
});

// data-fresh="key": what was never on this page before may move; all else stands still.
function freshenAll(arriving) {
  for (const element of document.querySelectorAll("[data-fresh]")) {
    if (arriving && !seen.has(element.dataset.fresh)) freshen(element);
    seen.add(element.dataset.fresh);
  }
}

body.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (event.detail.message.startsWith("<!--")) event.preventDefault(); // a heartbeat
});
body.addEventListener("htmx:wsAfterMessage", () => {
  freshenAll(true);
  document.dispatchEvent(new Event("site:swapped")); // a reveal begins before anything tells of it
  title();
  announce();
});
body.addEventListener("htmx:afterSettle", title);

// A page that tells what has just happened moves at once (data-plays), though not when reloaded.
const opened = performance.getEntriesByType("navigation")[0]?.type === "navigate";
freshenAll(opened && Boolean(document.querySelector("[data-plays]")));
title();

// ---- times: the server writes UTC and says so; here they become the reader's own. As in
// games/regional_formats.py, the region is the browser's, where it speaks the page's language.

const FORMS = {
  long_date: { dateStyle: "long" },
  short_date: { dateStyle: "medium" },
  date_time: { dateStyle: "medium", timeStyle: "short" },
  exact_time: { dateStyle: "medium", timeStyle: "medium" },
};
const region = navigator.languages.find((each) => each.split("-")[0] === root.lang) ?? root.lang;
function localise() {
  for (const time of document.querySelectorAll("time[data-form]")) {
    const said = new Intl.DateTimeFormat(region, FORMS[time.dataset.form]).format(new Date(time.dateTime));
    time.title ||= time.textContent;
    time.textContent = said;
  }
}
body.addEventListener("htmx:afterSwap", localise);
document.addEventListener("site:swapped", localise);
localise();

// ---- without the network: /sw.js keeps one page that says so; it is no loss where it may not run

window.addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));
