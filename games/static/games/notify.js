// Notifies players of their turn while the tab is hidden, if they pressed the button; and by push while no
// page is open.
// The words are the page's: the title of one's turn, and what the table last told.

import { prefer, preference } from "./preferences.js";

// A browser that blocks it, by its name, notifies while a page is open all the same.
const { canPush, turnOff, turnOn } = await import("./push.js").catch(() => /** @type {any} */ ({}));

const button = document.getElementById("notify");
const says = document.getElementById("notify-says");
const tag = location.pathname; // one notification a table, the newest
const mine = () => document.querySelector("#own.is-turn");

const PUSHES = "turn table"; // see games/social/inbox/kinds.py

let on = false;
let myTurn = !!mine();

async function helper() {
  return (await navigator.serviceWorker?.getRegistration())?.active && navigator.serviceWorker.ready;
}

async function tell(title, body) {
  const words = {
    body,
    tag,
    renotify: true,
    icon: document.querySelector("link[rel=apple-touch-icon]")?.href,
    data: location.href,
  };
  const worker = await helper(); // phones show notifications only through it
  if (worker) return worker.showNotification(title, words);
  new Notification(title, words).onclick = () => window.focus();
}

async function withdraw() {
  const worker = await helper();
  const all = (await worker?.getNotifications({ tag })) ?? [];
  if (myTurn && document.hidden) return; // the next turn has come
  for (const shown of all) shown.close();
}

function look() {
  const turn = mine();
  if (myTurn && !turn) withdraw();
  if (turn && !myTurn && on && document.hidden)
    tell(turn.dataset.title, document.getElementById("table").dataset.narration);
  myTurn = !!turn;
}

function set(to) {
  on = to;
  button.setAttribute("aria-pressed", on);
  says.textContent = "";
  // A browser that keeps nothing has to be asked again on every page.
  prefer("notify", on ? "on" : "off");
}

if (button && window.Notification) {
  if (preference("notify") === "on" && Notification.permission === "granted") set(true);
  button.disabled = false;
  button.addEventListener("click", async () => {
    if (on) {
      set(false);
      if (canPush) turnOff("unwant", PUSHES).catch(() => {});
      return;
    }
    set((await Notification.requestPermission()) === "granted");
    if (!on) says.textContent = button.dataset.denied;
    else if (canPush) says.textContent = (await turnOn(PUSHES).catch(() => null))?.said ?? "";
  });
  document.addEventListener("site:swapped", look);
  document.addEventListener("visibilitychange", () => document.hidden || withdraw());
} else button?.remove();
