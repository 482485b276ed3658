// A move goes over the page's socket, which answers once it is stored (games/live/moves.py); where
// there is none, or the process stops before it has tried, the form is posted. What is not answered is
// given up, and the page looks.

import { serverNow } from "../site/clock.js";
import { answered, patience } from "../site/patience.js";
import { give, openSocket } from "../site/reconnect.js";

const form = document.getElementById("move-form");
const place = document.getElementById("notice");
const BUFFERED = 1000, SLOW = 2500, ANSWER = 4000, ECHO = 2500; // ms, and longer on a slow line

const RESTARTS = 1012; // the close code of a process that stops; it answers before what it has tried

let sent = null; // the move that waits for its answer: { n, socket, path, values, timers }
let number = 0;
let isPosted = false; // the next request is what a socket did not try
let doubted = null; // the table when a move was made of which nobody knows whether it was stored
let isDeaf = false; // a socket has not answered: from then on moves are posted

const say = (what) => document.dispatchEvent(new CustomEvent("site:say", { detail: what }));

form.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig: { path, formData } } = event.detail;
  const socket = openSocket();
  if (elt !== form || path !== form.getAttribute("hx-post") || !socket || isPosted || isDeaf) return;
  event.preventDefault();
  forget();
  const values = new URLSearchParams(formData);
  values.delete("csrfmiddlewaretoken");
  const wait = patience(ANSWER);
  const timers = [
    setTimeout(() => socket.bufferedAmount && giveUp("unreachable"), patience(BUFFERED)),
    setTimeout(say, patience(SLOW), "slow"),
    setTimeout(giveUp, wait, "timeout"),
  ];
  sent = { n: ++number, socket, path, values: Object.fromEntries(values), timers, began: performance.now() };
  values.set("n", number);
  values.set("wait", Math.ceil(wait));
  values.set("at", Math.floor(serverNow()));
  form.classList.add("htmx-request");
  socket.send(`move ${values}`);
});

const hasMovedOn = (seen) => Number(document.getElementById("own").dataset.seq) > Number(seen);

function forget() {
  for (const timer of sent?.timers ?? []) clearTimeout(timer);
  place.querySelector("[data-failure=slow]")?.remove();
  form.classList.remove("htmx-request");
  sent = null;
}

function giveUp(why) {
  const { socket, values } = sent;
  forget();
  if (hasMovedOn(values.seen)) return; // frames come: what became of the move is there to be seen
  isDeaf = true;
  doubted = values.seen;
  say(navigator.onLine ? why : "offline");
  give(socket); // which may have been replaced meanwhile: the next one stays
}

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  const { message } = event.detail;
  if (!message.startsWith("{")) return;
  event.preventDefault();
  const answer = JSON.parse(message.slice(0, message.lastIndexOf("<!--")));
  if (answer.n !== null && answer.n !== sent?.n) return;
  const { path, values, socket, began } = sent ?? {};
  if (began) answered(began);
  forget();
  if (answer.post) post(path, values);
  else if (answer.go) location.assign(answer.go);
  else if (answer.status) say(answer.status);
  else if (answer.notice) refuse(answer.notice);
  else stored(answer.seq, socket);
});

document.addEventListener("htmx:wsClose", ({ detail: { event } }) => {
  if (event.target !== sent?.socket) return;
  const { path, values } = sent;
  forget();
  doubted = values.seen;
  if (event.code === RESTARTS) post(path, values);
  else if (event.code < 4400) say(navigator.onLine ? "unreachable" : "offline");
});

function post(path, values) {
  isPosted = true;
  htmx.ajax("POST", path, { source: form, target: place, swap: "innerHTML", values });
  isPosted = false;
}

function refuse(words) {
  const notice = document.createElement("p");
  notice.className = "notice error";
  notice.textContent = words;
  place.replaceChildren(notice);
}

// A socket that has lost the frame of one's own move has lost others too.
function stored(seq, socket) {
  place.replaceChildren();
  setTimeout(() => document.getElementById("own").dataset.seq < seq && give(socket), patience(ECHO));
}

document.addEventListener("site:swapped", () => {
  if (doubted === null || !hasMovedOn(doubted)) return;
  doubted = null;
  document.dispatchEvent(new Event("site:stored"));
});
