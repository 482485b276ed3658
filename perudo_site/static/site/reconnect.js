// Keeps a page live. After every interruption it looks at once whether its socket still answers, and
// opens another where not; where no socket gets through it looks by request (looking.js). The banner
// says so, and goes with the first message: only that proves that the page is current.

import { answered, missed, patience } from "./patience.js";

const body = document.body;
const banner = document.getElementById("banner");
const line = document.querySelector("[ws-connect]"); // htmx's extension opens its socket through connect
const isQuiet = "quiet" in (line?.dataset ?? {}); // for notifications alone: the page itself needs none

function tell(state) {
  if (body.dataset.line === state) return; // plain.js asks for it
  for (const words of banner.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
  banner.hidden = !state;
  body.dataset.line = state;
}
document.addEventListener("site:banner", ({ detail }) => tell(detail));

// All in ms, and longer on a slow line. A handshake that nobody answers is given up; so is a socket without
// a first message, or one that does not answer. The server sends something every half minute by itself.
const HANDSHAKE = 5000, FIRST = 6000, ANSWER = 2500, IDLE = 15000, SILENCE = 70000, ECHO = 2500;
const LEAST = 1000; // between two questions: the server counts them
const BANNER = 800; // a short interruption shows none
const WITHOUT = 4500; // after that long without a socket look by request
const PROBE = 4000, PROBES = 60000; // meanwhile try a socket, twice as late each time
const REST = 60000; // hidden for so long, a page gives its socket up until it is seen again
const VIEW = 4000; // hidden for so long, it says so: the server counts what it is sent
const ENDED = 4401, GONE = 4404, TOO_MANY = 4429; // the server's own refusals are 44xx

let socket = null; // the one in use
let reopen = null; // opens the next one; htmx says how when the first one opens or closes
let isWanted = false; // one was wanted before that
let Looking = null; // looking.js, while no socket gets through
let opened = 0; // when the handshake of the socket in use began, or was answered
let tries = 0, retry = 0, soon = 0, timer = 0;
let heard = performance.now(); // when the last message came
let lost = heard; // since when no message could come; 0: it can
let asked = -Infinity; // when the server was last asked to answer
let answers = false; // this server answers, an older one never does
let isFresh = true; // nothing came through this socket yet
let isResting = false; // it was given up because nobody sees the page
let saidHidden = false; // what the server knows of it

const since = (moment) => performance.now() - moment;
// The first retry comes at once, spread over 0.3 s; the next ever more slowly, at most 8 s apart: a
// server that restarts is not asked by all pages at the same moment.
const pause =
  () => (tries ? Math.min(8000, 400 * 2 ** tries) * (0.5 + Math.random() / 2) : 50 + Math.random() * 250);

function address(url) {
  const full = new URL(url, location.href);
  if (body.dataset.session !== undefined) full.searchParams.set("as", body.dataset.session);
  if (reopen) full.searchParams.delete("seen"); // the whole state: clocks may have stood still
  const inbox = document.getElementById("inbox");
  if (inbox) full.searchParams.set("told", inbox.dataset.seq);
  if ((saidHidden = document.hidden)) full.searchParams.set("hidden", "");
  return full;
}

function connect(url) {
  clearTimeout(retry);
  const made = Looking
    ? new Looking(address(new URL(line.dataset.look, location.href)), url)
    : new WebSocket(address(url));
  opened = performance.now();
  const without = (wait, isMissing) =>
    setTimeout(() => {
      if (made !== socket || !isMissing()) return;
      missed(wait);
      give(made);
    }, wait);
  without(patience(HANDSHAKE), () => made.readyState === made.CONNECTING);
  made.addEventListener("open", () => {
    if (made !== socket) return;
    answered(opened);
    opened = performance.now();
    without(patience(FIRST), () => isFresh);
    if (saidHidden !== document.hidden) say(document.hidden);
  });
  answers = false;
  isFresh = true;
  return (socket = made);
}

// A socket that is given up closes only later, or never: it counts as closed now.
export function give(made) {
  made.close();
  if (made === socket) closed(1006);
}

const again = () => socket && give(socket);
// The socket, while it is known to live: what is sent is answered, or it is given up.
export const openSocket = () =>
  navigator.onLine && socket?.readyState === WebSocket.OPEN && !Looking && !isFresh && answers
    ? socket
    : null;

function closed(code) {
  socket = null;
  lost ||= performance.now();
  if (body.dataset.leaving) return;
  clearTimeout(timer);
  if (code === ENDED) return document.dispatchEvent(new Event("site:session"));
  if (code === GONE && !isQuiet) return tell("gone");
  if (code > 4400 && code < 4500 && code !== TOO_MANY && code !== GONE) return tell("closed");
  if (!isQuiet) timer = setTimeout(tell, BANNER, "lost");
  retry = setTimeout(hurry, pause());
  tries += 1;
  clearTimeout(soon);
  if (Looking) Looking = null; // that failed too: try a socket first
  else soon = setTimeout(withoutSocket, code === TOO_MANY ? 0 : WITHOUT - since(lost));
}

async function withoutSocket() {
  if (socket || isResting || !line.dataset.look) return;
  const module = await import(line.dataset.looking).catch(() => null);
  if (module && !socket) {
    Looking = module.Looking;
    hurry();
    probe(PROBE);
  }
}

function hurry() {
  clearTimeout(retry);
  if (isResting) return;
  isWanted = !socket && !reopen;
  if (!socket) reopen?.();
}

// `what`: "ping" is answered at once; "look" with the whole state too.
function look(what = "ping") {
  if (body.dataset.leaving || isResting) return;
  if (!line) return tell("");
  if (!socket) return hurry();
  if (socket.readyState !== socket.OPEN || isFresh) return; // it has its own time
  if (!answers) return since(heard) > ANSWER && again();
  if (since(asked) < (asked > heard ? patience(ANSWER) : LEAST)) return; // asked already
  const [of, now] = [socket, performance.now()];
  asked = now;
  of.send(what);
  setTimeout(() => of === socket && heard < now && again(), patience(ANSWER));
}

function isHeard(message) {
  if (isFresh) answered(opened);
  else if (asked > heard) answered(asked);
  heard = performance.now();
  answers ||= / now \d+ -->$/.test(message); // as clock.js reads it; older servers neither say nor answer
  tries = lost = 0;
  isFresh = false;
  clearTimeout(soon);
  clearTimeout(timer);
  if (body.dataset.line !== "session") tell(Looking && !isQuiet ? "looking" : "");
}

// ---- htmx's socket, which opens another one only when told to

if (window.htmx) {
  htmx.config.wsReconnectDelay = () => 2 ** 31 - 1;
  htmx.createWebSocket = connect;
}
body.addEventListener("htmx:wsOpen", ({ detail }) => (reopen = detail.socketWrapper.reconnect));
body.addEventListener("htmx:wsClose", ({ detail }) => {
  reopen = detail.socketWrapper.reconnect;
  if (detail.event.target === socket) closed(detail.event.code);
  else if (isWanted) hurry();
});
body.addEventListener("htmx:wsBeforeMessage", ({ detail }) => isHeard(detail.message));

// ---- when to look

// Every move comes back as a frame.
body.addEventListener("htmx:beforeSend", ({ detail }) => (detail.xhr.asked = performance.now()));
body.addEventListener("htmx:afterRequest", ({ detail: { successful, requestConfig, xhr } }) => {
  if (successful && tries && !isQuiet) { // something comes through: nobody says that the connection is lost
    clearTimeout(timer);
    if (body.dataset.line === "lost") tell("");
    timer = setTimeout(tell, WITHOUT, "lost");
  }
  if (requestConfig.verb !== "post") return;
  if (!successful) return look();
  if (Looking) return look();
  if (!xhr.responseText.trim()) setTimeout(() => heard <= xhr.asked && again(), patience(ECHO));
});

let unseen = 0, rest = 0;
function hide() {
  unseen = setTimeout(say, VIEW, true);
  if (line && !("stays" in line.dataset)) rest = setTimeout(giveUp, REST); // a player hears their turn
}
if (document.hidden) hide();
document.addEventListener("visibilitychange", () => {
  clearTimeout(unseen);
  clearTimeout(rest);
  if (document.hidden) return hide();
  if (isResting) lost = performance.now();
  isResting = false;
  if (saidHidden) say(false);
  look();
});

function say(hidden) {
  saidHidden = hidden;
  if (socket?.readyState === WebSocket.OPEN && !Looking) socket.send(hidden ? "hidden" : "shown");
}

function giveUp() {
  isResting = true;
  clearTimeout(retry);
  clearTimeout(soon);
  clearTimeout(timer);
  const made = socket;
  socket = Looking = null;
  made?.close();
}

document.addEventListener("resume", () => look("look"));
navigator.connection?.addEventListener?.("change", () => look());
window.addEventListener("offline", () => tell("lost"));
window.addEventListener("online", () => look());
window.addEventListener("pagehide", () => (body.dataset.leaving = "yes"));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

// After a sleep, or a time in which the page was frozen, a tick comes late. Some clocks stand still
// meanwhile and some do not; where the page's own did, its countdowns are asked for again.
const TICK = 1000, LATE = 4000;
let ticked = performance.now(), date = Date.now();
setInterval(() => {
  const passed = since(ticked), slept = Date.now() - date - passed;
  [ticked, date] = [performance.now(), Date.now()];
  if (slept > LATE) look("look");
  else if (passed > LATE) look();
  else if (socket && !document.hidden && since(heard) > IDLE && answers) look();
  else if (since(heard) > SILENCE) again();
}, TICK);

function probe(wait) {
  const of = socket;
  setTimeout(() => {
    if (!Looking || of !== socket || body.dataset.leaving) return;
    probe(Math.min(PROBES, 2 * wait));
    if (document.hidden || !navigator.onLine) return;
    const tried = new WebSocket(address(line.getAttribute("ws-connect")));
    const end = setTimeout(() => tried.close(), patience(HANDSHAKE + FIRST));
    tried.addEventListener("message", () => {
      clearTimeout(end);
      tried.close();
      Looking = null;
      again();
      hurry();
    }, { once: true });
  }, wait * (0.75 + Math.random() / 2));
}
