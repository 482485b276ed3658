// The table's hands and clock: counts a turn down, keeps the bid control legal, plays the reveal.
// The server judges every move; what is here only spares people refusals.

const serverNow = () => Date.now() - Number(document.documentElement.dataset.skew || 0);
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// ---- the clock: data-due (epoch ms), data-whole (s, only for a turn), data-warn (words for the last ten)

let warned = "";
const whole = new Map(); // seconds from the first sight of a deadline to it: the full bar

function tick() {
  for (const clock of $$("[data-due]")) {
    const { due } = clock.dataset;
    const left = Math.max(0, due - serverNow());
    const seconds = Math.ceil(left / 1000);
    const digits = $("[data-digits]", clock);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (digits && digits.textContent !== text) digits.textContent = text;
    const bar = $("progress", clock);
    if (bar) {
      if (!whole.has(due)) whole.set(due, Math.max(left / 1000, clock.dataset.whole || 0));
      bar.max = whole.get(due);
      bar.value = left / 1000;
    }
    const short = seconds <= 10 && "whole" in clock.dataset;
    clock.classList.toggle("is-short", short);
    if (clock.dataset.warn && short && warned !== due) {
      warned = due;
      $("#live").textContent = clock.dataset.warn;
    }
  }
  for (const button of $$("[data-opens]")) button.disabled = button.dataset.opens > serverNow();
}
setInterval(tick, 200);

// ---- the bid control: a number and six faces, each with the least and the most it may stand for

const held = (form) => $('[name="face"]:checked', form);

// Brings the number into the chosen face's range, and shows what the button will say.
function settle(form) {
  const quantity = $('[name="quantity"]', form);
  const face = held(form);
  if (!quantity || !face) return;
  const [least, most] = [Number(face.dataset.min), Number(face.dataset.max || quantity.max)];
  const asked = Math.round(Number(quantity.value)) || least;
  const legal = Math.min(most, Math.max(least, asked));
  if (String(legal) !== quantity.value) quantity.value = legal;
  quantity.min = least;
  $('[data-step="-1"]', form).disabled = legal <= least;
  $('[data-step="1"]', form).disabled = legal >= most;
  $("[data-said] b", form).textContent = legal;
  $("[data-said] use", form).setAttribute("href", $("use", face.closest("label")).getAttribute("href"));
}

function step(form, by) {
  const quantity = $('[name="quantity"]', form);
  quantity.value = Number(quantity.value) + by;
  settle(form);
}

document.addEventListener("change", ({ target }) => target.form?.matches("[data-bid]") && settle(target.form));
document.addEventListener("input", ({ target }) => target.id === "quantity" && ($("[data-said] b").textContent = target.value));
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (button) step(button.form, Number(button.dataset.step));
  if (!target.closest("button, a, input, label, summary")) hurry();
});

document.addEventListener("focusin", ({ target }) => target.matches("[data-absolute]") && target.select());

// ---- hints: one at a time, where its data-when is on the page; its button or a move puts it away

const hints = $("#hints");
let heeded = [];
try { heeded = localStorage.getItem("perudo-hints")?.split(" ") ?? []; } catch {}

function advise() {
  const lines = hints ? $$("[data-when]", hints) : [];
  const next = lines.find(({ id, dataset }) => !heeded.includes(id) && $(dataset.when));
  for (const line of lines) line.hidden = line !== next;
  if (hints) hints.hidden = !next;
}

function heed() {
  if (!hints || hints.hidden) return;
  hints.hidden = true;
  heeded.push($("[data-when]:not([hidden])", hints).id);
  try { localStorage.setItem("perudo-hints", heeded.join(" ")); } catch {}
}
hints?.addEventListener("click", ({ target }) => target.closest("button") && heed());

// ---- keys: keys.js comes where there is a mouse, so a keyboard, or with the first key

const deed = $("#deed");
const listen = () => import(deed.dataset.keys).then((keys) => keys.listen({ settle, step, held }));
deed?.addEventListener("submit", heed);
if (deed && matchMedia("(any-pointer: fine)").matches) listen();
else if (deed) document.addEventListener("keydown", listen, { once: true });

// ---- sounds: sound.js comes when it is asked for, or was at an earlier visit

const speaker = $("#sound");
if (speaker && window.AudioContext) {
  const load = () => import(speaker.dataset.module);
  speaker.hidden = false;
  let wanted = null;
  try { wanted = localStorage.getItem("perudo-sound"); } catch {}
  if (wanted === "on") load();
  else speaker.addEventListener("click", async () => (await load()).press(), { once: true });
}

// A press is taken once for what the screen shows. When the screen has moved on, the next press
// counts, even while the answer to the last one is still under way (hx-sync="this:replace").
let asked = "";
const shown = () => $("#own")?.dataset.seq;
addEventListener("submit", (event) => {
  if (event.target !== deed) return;
  if (deed.matches(".htmx-request") && asked === shown()) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  asked = shown();
}, true);

// ---- the reveal: dice light up by CSS, the count climbs with each; Escape or a tap skips to the end

const FRESH = "[data-reveal].is-fresh:not(.is-told)";
document.addEventListener("animationstart", ({ animationName, target }) => {
  if (animationName !== "light-up") return;
  const count = $(`${FRESH} [data-count]`);
  if (count) count.textContent = target.dataset.order;
});

// Plays a reveal at the pace the server gave it; who gets it too late to see all of it sees the end.
function climb() {
  const reveal = $(FRESH);
  if (!reveal) return;
  const { lasts, die } = reveal.dataset;
  const due = $("[data-due]", reveal)?.dataset.due;
  if (due - serverNow() < lasts) return hurry();
  const { style } = document.documentElement; // a style on what htmx swaps would break the policy
  style.setProperty("--reveal-lasts", `${lasts}ms`);
  style.setProperty("--die-lasts", `${die}ms`);
  const count = $("[data-count]", reveal);
  if ($(".die[data-order]") && !matchMedia("(prefers-reduced-motion: reduce)").matches) count.textContent = "0";
}

function hurry() {
  const reveal = $(FRESH);
  if (!reveal) return;
  reveal.classList.add("is-told");
  const count = $("[data-count]", reveal);
  if (count) count.textContent = count.dataset.count;
}

document.addEventListener("keydown", ({ key }) => key === "Escape" && hurry());

// ---- the earlier rounds: they grow with the game, so they are fetched only where they are read

const story = $("#story");
function recall() {
  const earlier = Number($("#table")?.dataset.earlier || 0);
  story.hidden = !earlier;
  if (story.open && $$("li", story).length < earlier) htmx.trigger(story, "recall");
}
story?.addEventListener("toggle", recall);

function arrive() {
  const own = $("#own");
  if (own && deed) {
    deed.closest("[data-me]").dataset.me = own.dataset.seat ?? ""; // seats close up at the start
    if (asked !== shown()) deed.classList.remove("htmx-request");
  }
  for (const form of $$("[data-bid]")) {
    form.classList.add("has-script");
    settle(form);
  }
  for (const link of $$("[data-absolute]")) link.value = new URL(link.value, location.href).href;
  if (story) recall();
  advise();
  climb();
  tick();
}
document.addEventListener("site:swapped", arrive);
arrive();
