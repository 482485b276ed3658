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
    const left = Math.max(0, Number(clock.dataset.due) - serverNow());
    const seconds = Math.ceil(left / 1000);
    const digits = $("[data-digits]", clock);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (digits && digits.textContent !== text) digits.textContent = text;
    const bar = $("progress", clock);
    if (bar) {
      if (!whole.has(clock.dataset.due)) whole.set(clock.dataset.due, Math.max(left / 1000, Number(clock.dataset.whole || 0)));
      bar.max = whole.get(clock.dataset.due);
      bar.value = left / 1000;
    }
    const short = seconds <= 10 && "whole" in clock.dataset;
    clock.classList.toggle("is-short", short);
    if (clock.dataset.warn && short && warned !== clock.dataset.due) {
      warned = clock.dataset.due;
      document.getElementById("live").textContent = clock.dataset.warn;
    }
  }
  for (const button of $$("[data-opens]")) {
    const shut = Number(button.dataset.opens) > serverNow();
    if (button.disabled !== shut) button.disabled = shut;
  }
}
setInterval(tick, 200);

// ---- the bid control: a number and six faces, each with the least and the most it may stand for

const held = (form) => $('[name="face"]:checked', form);
const range = (face, quantity) => [Number(face.dataset.min), Number(face.dataset.max || quantity.max)];

// Brings the number into the chosen face's range, and shows what the button will say.
function settle(form) {
  const quantity = $('[name="quantity"]', form);
  const face = held(form);
  if (!quantity || !face) return;
  const [least, most] = range(face, quantity);
  const asked = Math.round(Number(quantity.value)) || least;
  const legal = Math.min(most, Math.max(least, asked));
  if (String(legal) !== quantity.value) quantity.value = legal;
  quantity.min = least;
  const less = $('[data-step="-1"]', form);
  const more = $('[data-step="1"]', form);
  if (less) less.disabled = legal <= least;
  if (more) more.disabled = legal >= most;
  const said = $("[data-said]", form);
  if (said) {
    $("b", said).textContent = quantity.value;
    const die = $("svg", face.closest("label")).cloneNode(true);
    $("svg", said).replaceWith(die);
  }
}

function step(form, by) {
  const quantity = $('[name="quantity"]', form);
  quantity.value = Number(quantity.value) + by;
  settle(form);
}

document.addEventListener("change", ({ target }) => target.form?.matches("[data-bid]") && settle(target.form));
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (button) step(button.form, Number(button.dataset.step));
  if (!target.closest("button, a, input, label, summary")) hurry();
});

document.addEventListener("focusin", ({ target }) => target.matches("[data-absolute]") && target.select());

// Inside the form only: 2–6 and P choose a face, + and − the number, D doubts, C claims.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hurry();
  const form = event.target.closest?.("[data-bid]");
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches('input[type="number"]');
  const key = event.key.toLowerCase();
  if (key === "+" || key === "-") step(form, key === "+" ? 1 : -1);
  else if (key === "d" || key === "c") {
    const button = $(key === "d" ? "[value=dudo]" : "[value=calza]", form);
    if (!button || button.disabled) return;
    button.focus();
  } else if (/^[1-6p]$/.test(key) && !typing) {
    const face = $(`[name="face"][data-face="${key === "p" ? 1 : key}"]`, form);
    if (!face || face.disabled) return;
    face.checked = true;
    face.focus();
    settle(form);
  } else return;
  event.preventDefault();
});

// ---- the reveal: dice light up by CSS, the count climbs with each; Escape or a tap skips to the end

document.addEventListener("animationstart", ({ animationName, target }) => {
  if (animationName !== "light-up") return;
  const count = $("[data-reveal].is-fresh:not(.is-told) [data-count]");
  if (count) count.textContent = target.dataset.order;
});

function climb() {
  const reveal = $("[data-reveal].is-fresh:not(.is-told)");
  const count = reveal && $("[data-count]", reveal);
  if (!count || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if ($(".seats .die[data-order]")) count.textContent = "0";
}

function hurry() {
  const reveal = $("[data-reveal].is-fresh:not(.is-told)");
  if (!reveal) return;
  reveal.classList.add("is-told");
  const count = $("[data-count]", reveal);
  if (count) count.textContent = count.dataset.count;
}

function arrive() {
  for (const form of $$("[data-bid]")) {
    form.classList.add("has-script");
    settle(form);
  }
  for (const link of $$("[data-absolute]")) link.value = new URL(link.value, location.href).href;
  climb();
  tick();
}
document.addEventListener("site:swapped", arrive);
arrive();
