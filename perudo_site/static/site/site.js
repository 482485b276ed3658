// What every page needs: the server's clock, the tab's title, the banner of a lost connection,
// words for screen readers, and the keyboard's place when a fragment is swapped.

const root = document.documentElement;
const body = document.body;

// How far this computer's clock runs ahead of the server's, in ms; table.js counts with it.
const arrived = performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart ?? performance.now());
root.dataset.skew = Math.round(arrived - Number(body.dataset.now || arrived));

// ---- the connection

const banner = document.getElementById("banner");

function tell(state) {
  for (const words of banner.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
  banner.hidden = !state;
}

let socket = null; // null: no socket has been lost
const COMES_BACK = [1006, 1011, 1012, 1013]; // the codes after which htmx tries again

// At once, but not all in one instant: a restart is over within a second. Then ever more slowly,
// though never more than 8 s apart: a table does not wait a minute for anyone.
const pause = (tries) => (tries ? Math.min(8000, 400 * 2 ** tries) * (0.5 + Math.random() / 2) : 50 + Math.random() * 250);
const HANDSHAKE = 10000; // ms; by itself a browser waits minutes for an answer that never comes
function knock(url) {
  const made = new WebSocket(url);
  setTimeout(() => made.readyState === WebSocket.CONNECTING && made.close(), HANDSHAKE);
  return made;
}
if (window.htmx) {
  htmx.config.wsReconnectDelay = pause;
  htmx.createWebSocket = knock;
}

// A line may die without a word. The server speaks every half minute even when nothing is new, and
// what is done here comes back as a frame; where neither is heard, a new line is drawn.
const SILENCE = 70000, ECHO = 4000; // ms
let line = null, heard = 0;
const hears = () => (heard = performance.now());
const again = (since) => line && !socket && heard <= since && (hears(), line.reconnect());
setInterval(() => again(performance.now() - SILENCE), 5000);
body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const done = detail.successful && detail.requestConfig.verb === "post" && !detail.xhr.responseText.trim();
  if (done) setTimeout(again, ECHO, detail.xhr.asked);
});
body.addEventListener("htmx:beforeSend", ({ detail }) => (detail.xhr.asked = performance.now()));

let patience = 0; // a connection that is back within a blink is not worth a word
body.addEventListener("htmx:wsOpen", ({ detail }) => {
  line = detail.socketWrapper;
  hears();
  socket = null;
});
body.addEventListener("htmx:wsClose", ({ detail }) => {
  if (body.dataset.leaving) return;
  const returns = COMES_BACK.includes(detail.event.code);
  socket = returns ? detail.socketWrapper : null;
  clearTimeout(patience);
  patience = setTimeout(tell, returns ? 800 : 0, returns ? "lost" : "closed");
});
window.addEventListener("offline", () => tell("lost"));
window.addEventListener("online", () => (socket ? socket.reconnect() : tell("")));
window.addEventListener("pagehide", () => (body.dataset.leaving = "yes"));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

// ---- after a swap

const live = document.getElementById("live");
const seen = new Set();
let place = null; // where the keyboard was before the swap

const all = (name) => [...document.querySelectorAll(`[data-${name}]`)].map((e) => e.dataset[name]).filter(Boolean);

// The last fragment to name a title has its way: one's own turn over the table's news.
function title() {
  const titles = all("title");
  if (titles.length) document.title = titles.at(-1);
}

// Announces what the fragments tell: data-alone, to this reader, or else data-told of all of them.
const told = () => (all("alone")[0] || all("told").join(" "));
let spoken = told();
function announce() {
  const words = told();
  if (words && words !== spoken) live.textContent = words;
  spoken = words;
}

// data-fresh="key": what was never on this page before may move; all else stands still.
function freshen(arriving) {
  for (const element of document.querySelectorAll("[data-fresh]")) {
    if (arriving && !seen.has(element.dataset.fresh)) element.classList.add("is-fresh");
    seen.add(element.dataset.fresh);
  }
}

function remember() {
  const at = document.activeElement;
  const part = at?.closest("[data-keeps-focus]");
  if (!part) return;
  place = { part: part.id, id: at.id, name: at.name, value: at.value, text: at.type === "number" ? at.value : null };
}

function restore() {
  if (!place || document.activeElement !== body) return (place = null);
  const part = document.getElementById(place.part);
  const { id, name, value } = place;
  const same =
    (id && id !== place.part && document.getElementById(id)) ||
    (name && part?.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`)) ||
    (name && part?.querySelector(`[name="${CSS.escape(name)}"]`)) ||
    part?.querySelector("[data-focus-first]:not(:disabled)") ||
    part;
  same?.focus({ preventScroll: true });
  place = null;
}

body.addEventListener("htmx:wsBeforeMessage", (event) => {
  hears();
  clearTimeout(patience);
  tell(""); // the first word is said when what is shown is true: an open line alone is none
  if (event.detail.message.startsWith("<!--")) event.preventDefault(); // only to say: still here
  else remember();
});
body.addEventListener("htmx:wsAfterMessage", () => {
  freshen(true);
  title();
  announce();
  document.dispatchEvent(new Event("site:swapped"));
  restore();
});
body.addEventListener("htmx:afterSettle", title);

freshen(false);
title();

// ---- without the network: /sw.js keeps one page that says so; it is no loss where it may not run

window.addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));
