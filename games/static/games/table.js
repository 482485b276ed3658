// The page of a table in every game: clocks, hints, keys, sounds, earlier rounds. The game's own
// module does the rest. The server judges every move; this only spares people refusals.

import { serverNow } from "../site/clock.js";
import { prefer, preference } from "./preferences.js";

/** @type {Find} */
const $ = (selector, within = document) => within.querySelector(selector);
/** @type {FindAll} */
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// ---- the clock: data-due and others, see docs/browser.md

let warned = "";
const whole = new Map(); // seconds from the first sight of a deadline to it: the full bar

function tick() {
  for (const clock of $$("[data-due]")) {
    const { due, warn } = clock.dataset;
    const left = Math.max(0, Number(due) - serverNow());
    const seconds = Math.ceil(left / 1000);
    const digits = $("[data-digits]", clock);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (digits && digits.textContent !== text) digits.textContent = text;
    const bar = $("progress", clock);
    if (!whole.has(due)) whole.set(due, Math.max(left / 1000, Number(clock.dataset.whole || 0)));
    if (bar) {
      bar.max = whole.get(due);
      bar.value = left / 1000;
    }
    const short = seconds <= 10 && "whole" in clock.dataset;
    clock.classList.toggle("is-short", short);
    if ("whole" in clock.dataset) drain($(".seat.is-turn > .seat-ring"), left / 1000 / whole.get(due));
    if (warn && short && warned !== due) {
      warned = due;
      $("#live").textContent = warn;
    }
  }
  for (const button of $$("button[data-opens]")) button.disabled = Number(button.dataset.opens) > serverNow();
}
setInterval(tick, 200);

// The ring around the face of who is on turn: drawn anew once in a hundred steps only.
function drain(ring, left) {
  const shown = Math.min(1, left).toFixed(2);
  if (ring && ring.style.getPropertyValue("--left") !== shown) ring.style.setProperty("--left", shown);
}

// ---- now and then a face blinks (faces.css)

setInterval(() => {
  if (document.hidden || matchMedia("(prefers-reduced-motion)").matches) return;
  const faces = $$(".seat > .avatar");
  const face = faces[Math.random() * faces.length | 0];
  face?.toggleAttribute("data-blinks");
  setTimeout(() => face?.removeAttribute("data-blinks"), 150);
}, 2500);

// ---- hints: one at a time, where its data-when is on the page; its button or a move puts it away

const hints = $("#hints");
const heeded = preference("hints")?.split(" ") ?? [];

function advise() {
  if (!hints) return;
  const lines = $$("[data-when]", hints);
  const left = lines.filter(({ id }) => !heeded.includes(id));
  const next = left.find(({ dataset }) => $(dataset.when));
  for (const line of lines) line.hidden = line !== next;
  // As long as one may still come its place is kept: cover.js.
  document.documentElement.toggleAttribute("data-hints", !!left[0]);
  prefer(`advised-${hints.dataset.of}`, left[0] ? "" : "yes");
  hints.toggleAttribute("data-idle", !next);
}

function heed() {
  if (!hints?.checkVisibility({ visibilityProperty: true })) return;
  hints.toggleAttribute("data-idle", true);
  heeded.push($("[data-when]:not([hidden])", hints).id);
  prefer("hints", heeded.join(" "));
}
hints?.addEventListener("click", ({ target }) => {
  if (target.matches(".turn-on")) speaker.click();
  if (target.closest("button")) heed();
});

// ---- keys: loaded where there is a mouse, so a keyboard, or with the first key

const form = $("#move-form");
async function listen() {
  const { keys, gameKeys } = form.dataset;
  const [engine, game] = await Promise.all([import(keys), import(gameKeys)]);
  engine.listen(game);
}
form?.addEventListener("submit", heed);
const sheet = $("#left-alone");
// After htmx has looked which button it was: it forgets that when the focus moves.
form?.addEventListener("submit", () => setTimeout(() => sheet?.hidePopover?.()));
if (form?.dataset.keys && matchMedia("(any-pointer: fine)").matches) listen();
else if (form?.dataset.keys) document.addEventListener("keydown", listen, { once: true });

// ---- sounds: loaded when they are asked for, or were at an earlier visit

const speaker = $("#sound");
if (speaker && window.AudioContext) {
  const load = async () => {
    const sound = await import(speaker.dataset.module);
    sound.listen(await import(speaker.dataset.gameModule));
    return sound;
  };
  speaker.disabled = false;
  if (preference("sound") === "on") load();
  else speaker.addEventListener("click", async () => (await load()).press(), { once: true });
}

// A press is taken once for what the screen shows. When the screen has moved on, the next press
// counts, even while the answer to the last one is still under way (hx-sync="this:replace").
let asked = "";
const shown = () => $("#own")?.dataset.seq;
addEventListener("submit", (event) => {
  if (event.target !== form) return;
  if (form.matches(".htmx-request") && asked === shown()) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  asked = shown();
}, true);

// ---- the earlier rounds: fetched only where they are read

const story = $("#story");
function recall() {
  const earlier = Number($("#table")?.dataset.earlier || 0);
  story.hidden = !earlier;
  if (story.open && $$("li", story).length < earlier) htmx.trigger(story, "recall");
}
story?.addEventListener("toggle", recall);

function arrive() {
  const own = $("#own");
  if (own && form) {
    form.closest("[data-me]").dataset.me = own.dataset.seat ?? ""; // seats close up at the start
    if (asked !== shown()) form.classList.remove("htmx-request");
  }
  if (sheet && !$("#own .left-alone")) sheet.hidePopover?.();
  // Who asked for a seat at the next table while the game ran is taken there when it begins.
  const next = $(".shell[data-wishes] [data-next]");
  if (next) location.assign(next.dataset.next);
  const share = $("[data-share]");
  if (share) import(share.dataset.share);
  if (story) recall();
  advise();
  tick();
}
document.addEventListener("site:swapped", arrive);
arrive();
