// Calls somebody who looks for people when others come: the strip #search (_search.html) on every page.
// data-state "asked" is the call, until data-ends; "seated" leads to the table data-go, once.

import { serverNow } from "../site/clock.js";
import { prefer, preference } from "./preferences.js";

// A browser that blocks it, by its name, calls while a page is open all the same.
const { canPush, isOn, turnOn } = await import("./push.js").catch(() => /** @type {any} */ ({}));

/** @type {Find} */
const $ = (selector) => document.querySelector(selector);
const strip = () => $("#search");
const icon = $("link[rel=apple-touch-icon]")?.href;
const TAG = "search"; // one notification, the newest
const PUSHES = "waiting table"; // that others wait, while no page is open: see games/social/push/switches.py

// ---- countdowns: data-countdown (ms of the server's clock), data-text with {seconds}

let called = ""; // the call that was heard last
let named = null; // the tab's title before it

function tick() {
  for (const each of document.querySelectorAll("[data-countdown]")) {
    const seconds = Math.max(0, Math.ceil((Number(each.dataset.countdown) - serverNow()) / 1000));
    const text = each.dataset.text.replace("{seconds}", `${seconds}`);
    if (each.textContent !== text) each.textContent = text;
  }
  // The table's own news would take the title away.
  if (named !== null) document.title = words();
}

const words = () => strip().querySelector("p").textContent.replace(/\s+/g, " ").trim();

// ---- the call: sound unless it was turned off, the tab's title, and a notification where nobody looks

let audio = null;
function wake() {
  if (strip()?.dataset.state !== "waiting" || preference("sound") === "off") return;
  audio ??= new AudioContext();
  audio.resume();
}
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, wake);

function ring() {
  if (preference("sound") === "off") return;
  navigator.vibrate?.([120, 80, 120]);
  if (audio?.state !== "running") return;
  [523, 659, 784].forEach((frequency, i) => {
    const at = audio.currentTime + i * 0.16;
    const source = new OscillatorNode(audio, { type: "triangle", frequency });
    const level = new GainNode(audio);
    level.gain.setValueAtTime(0.35, at);
    level.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    source.connect(level).connect(audio.destination);
    source.start(at);
    source.stop(at + 0.5);
  });
}

const helper = async () =>
  (await navigator.serviceWorker?.getRegistration())?.active && navigator.serviceWorker.ready;

async function notify(title) {
  if (!document.hidden || window.Notification?.permission !== "granted") return;
  const worker = await helper(); // phones show notifications only through it
  if (worker) return worker.showNotification(title, { tag: TAG, renotify: true, icon, data: location.href });
  new Notification(title, { tag: TAG, renotify: true, icon }).onclick = () => window.focus();
}

async function withdraw() {
  const worker = await helper();
  for (const shown of (await worker?.getNotifications({ tag: TAG })) ?? []) shown.close();
}

function hang() {
  if (named !== null) document.title = named;
  named = null;
  withdraw();
}

// The game that has begun is gone to once in a browser: who goes elsewhere from there has the strip. A browser
// that keeps nothing goes there from pages that were open before.

const LED = "led-to"; // the address of the last such game, as its own page says it too
let wasInLine = false;

function isNews(go) {
  if (!go || preference(LED) === go) return false;
  prefer(LED, go);
  return location.pathname !== go && (wasInLine || preference(LED) === go);
}

function look() {
  const { state, ends, go } = strip()?.dataset ?? {};
  if (isNews(go)) return location.assign(go);
  wasInLine = ["waiting", "asked", "ready"].includes(state);
  if (state === "asked") {
    tick();
    if (called === ends) return;
    called = ends;
    named ??= document.title;
    $("#live").textContent = words();
    ring();
    notify(words());
  } else if (named !== null) hang();
  offer();
}

// ---- while one waits: to tell friends, and to be told oneself

const isTold = () => isOn() && strip().dataset.told !== undefined;

function offer() {
  const invite = $("[data-invite]"), bell = $("[data-notify]");
  if (invite) invite.hidden = !navigator.share && !navigator.clipboard;
  const permission = window.Notification?.permission;
  if (bell)
    bell.hidden = permission !== "default" && (permission !== "granted" || !canPush || isTold());
}

document.addEventListener("click", async ({ target }) => {
  const invite = target.closest?.("[data-invite]");
  if (invite) {
    const url = new URL(invite.dataset.invite, location.href).href;
    // Closing the sheet without sharing is no fault.
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    await navigator.clipboard.writeText(url);
    strip().querySelector("p").textContent = $("#live").textContent = invite.dataset.done;
  } else if (target.closest?.("[data-notify]")) {
    if ((await Notification.requestPermission()) === "granted") {
      prefer("notify", "on");
      if (canPush && (await turnOn(PUSHES).catch(() => null))?.ok) strip().dataset.told = "";
    }
    offer();
  }
});

document.addEventListener("site:swapped", look);
document.addEventListener("visibilitychange", () => document.hidden || withdraw());
setInterval(tick, 250);
look();
tick();
