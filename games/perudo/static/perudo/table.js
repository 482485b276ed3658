// Keeps the bid control legal and plays the reveal. The server judges every move.

import { serverNow } from "../site/clock.js";

const root = document.documentElement;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const on = document.addEventListener.bind(document);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---- the bid control: brings the number into the chosen face's range, shows what the button will say

// A number that is just being typed is left alone.
function settle(form, { typing = false } = {}) {
  const quantity = $('[name="quantity"]', form);
  const face = $('[name="face"]:checked', form);
  if (!quantity || !face) return;
  const [least, most] = [Number(face.dataset.min), Number(face.dataset.max || quantity.max)];
  const asked = Math.round(Number(quantity.value)) || least;
  const legal = Math.min(most, Math.max(least, asked));
  if (!typing && String(legal) !== quantity.value) quantity.value = legal;
  quantity.min = least;
  $('[data-step="-1"]', form).disabled = legal <= least;
  $('[data-step="1"]', form).disabled = legal >= most;
  $("[data-said] b", form).textContent = typing ? quantity.value : legal;
  $("[data-said] use", form).setAttribute("href", $("use", face.closest("label")).getAttribute("href"));
}

on("change", ({ target }) => target.form?.matches(".move-form") && settle(target.form));
on("input", ({ target }) => target.id === "quantity" && ($("[data-said] b").textContent = target.value));
on("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (button) {
    const quantity = $('[name="quantity"]', button.form);
    quantity.value = Number(quantity.value) + Number(button.dataset.step);
    settle(button.form);
  }
  if (!target.closest("button, a, input, label, summary")) hurry();
});

// ---- the reveal: CSS opens the hands, the count climbs with each die; Escape or a tap skips to the end

let began = -Infinity; // when the reveal began, by performance.now()
let end = 0; // the timer of its end
on("animationstart", ({ animationName, target }) => {
  if (began > 0 && animationName === "light-up")
    tell($$(".hand .lit").filter(({ dataset }) => dataset.order <= target.dataset.order).length);
});

function tell(count) {
  for (const shown of $$("[data-count]")) {
    shown.firstChild.data = count ?? shown.dataset.count;
    if (count) shown.animate({ scale: [1.3, 1] }, 200);
  }
}

// Plays a reveal at the server's pace, on from where it was if swapped meanwhile; the end if too late.
function climb() {
  const reveal = $("[data-reveal]");
  if (!reveal) return unveil();
  const { classList, dataset } = reveal;
  const now = performance.now();
  if (classList.contains("is-fresh")) began = now;
  const age = now - began;
  const left = dataset.lasts - age;
  if (left < 0 || calm.matches || $("[data-due]", reveal)?.dataset.due - serverNow() < left) return hurry();
  classList.add("is-fresh");
  // Not on what htmx swaps: that breaks the policy.
  const times = { begin: -age, call: dataset.call - age, die: dataset.die, lasts: left };
  for (const name in times) root.style.setProperty(`--reveal-${name}`, `${times[name]}ms`);
  tell(0);
  root.dataset.suspense = "yes";
  clearTimeout(end);
  end = setTimeout(unveil, left);
}

// The end has been shown: the tab and screen readers may tell it, see site.js.
function unveil() {
  clearTimeout(end);
  if (!("suspense" in root.dataset)) return;
  delete root.dataset.suspense;
  document.dispatchEvent(new Event("site:told"));
}

function hurry() {
  began = -Infinity;
  unveil();
  $("[data-reveal]")?.classList.add("is-told");
  tell();
}

on("keydown", ({ key }) => key === "Escape" && hurry());

function arrive() {
  for (const form of $$(".move-form")) {
    form.classList.add("has-script");
    settle(form, { typing: document.activeElement?.name === "quantity" });
  }
  climb();
}
on("site:swapped", arrive);
arrive();
// A game that opens with its page begins with a roll, a reload does not.
if ($(".is-none") && performance.getEntriesByType("navigation")[0]?.type === "navigate")
  $("#own").classList.add("is-fresh");
