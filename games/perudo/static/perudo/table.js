// Keeps the bid control legal and plays the reveal. The server judges every move.

import { serverNow } from "../site/clock.js";

const root = document.documentElement;
/** @type {Find} */
const $ = (selector, within = document) => within.querySelector(selector);
/** @type {FindAll} */
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
  if (!typing && String(legal) !== quantity.value) quantity.valueAsNumber = legal;
  quantity.min = `${least}`;
  const says = $("[data-raised]", form);
  says.hidden = raised !== chosen(form);
  says.textContent = says.hidden ? "" : says.dataset.raised.replace("{number}", `${legal}`);
  $('button[data-step="-1"]', form).disabled = legal <= least;
  $('button[data-step="1"]', form).disabled = legal >= most;
  $("[data-said] b", form).textContent = typing ? quantity.value : `${legal}`;
  $("[data-said] use", form).setAttribute("href", $("use", face.closest("label")).getAttribute("href"));
}

let raised = ""; // the choice that came of one which the table has passed
const chosen = (form) =>
  [$("#own").dataset.choice, $('[name="face"]:checked', form).value, $("#quantity").value].join();

function choose(form) {
  raised = "";
  pick();
  settle(form);
}

let picked = ""; // the data-choice for which the person chose a bid
const pick = () => picked = $("#own").dataset.choice;

// While the dice are covered the bid that is offered says nothing of them: it is the lowest.
function conceal(form) {
  const quantity = $("#quantity", form);
  const faces = [...form.querySelectorAll('[name="face"]:enabled')];
  if (!root.dataset.cover || picked === $("#own").dataset.choice || !quantity || !faces[0]) return;
  const size = ({ value, dataset }) => dataset.min * (value === "1" ? 2 : 1); // pacos are half as many
  const lowest = faces.reduce((one, other) => size(other) < size(one) ? other : one);
  for (const face of faces) {
    face.defaultChecked = face.checked = face === lowest;
    face.toggleAttribute("data-focus-first", face === lowest);
  }
  quantity.value = quantity.defaultValue = lowest.dataset.min;
}

on("change", ({ target }) => target.form?.matches(".move-form") && choose(target.form));
let typed = -Infinity; // when a digit was typed last
on("input", ({ target }) => {
  if (target.id !== "quantity") return;
  typed = performance.now();
  pick();
  $("[data-said] b").textContent = target.value;
});
on("click", ({ target, detail }) => {
  if (target.matches('[name="face"]')) pick(); // the one that is offered too
  if (target.id === "cover") fit();
  const button = target.closest("button[data-step]");
  if (button && (!detail || !held)) step(button); // by key or by a tool; a finger has stepped already
  if (!target.closest("button, a, input, label, summary") || target.closest("[data-skip]")) hurry();
});

function step(button) {
  const quantity = $('[name="quantity"]', button.form);
  quantity.valueAsNumber = Number(quantity.value) + Number(button.dataset.step);
  choose(button.form);
}

// − and + go on stepping while they are held.
let held = 0; // the timer of the next step; 0: none has been made by holding
on("pointerdown", ({ target, button }) => {
  const stepper = target.closest("button[data-step]");
  held = 0;
  if (!stepper || button) return;
  const again = (ms) =>
    setTimeout(() => {
      if (!stepper.isConnected || stepper.disabled) return;
      step(stepper);
      held = again(90);
    }, ms);
  const first = again(450);
  const end = () => {
    clearTimeout(first);
    clearTimeout(held);
  };
  for (const ends of ["pointerup", "pointercancel", "pointerleave"])
    stepper.addEventListener(ends, end, { once: true });
});
// A tap on the number offers those that may be bid, instead of the keyboard of a phone.
/** @type {HTMLElement} */
const strip = Object.assign(document.createElement("div"), { className: "numbers", popover: "auto" });
document.body.append(strip);
on("pointerdown", ({ target, pointerType }) => {
  if (target.id === "quantity")
    target.inputMode = pointerType === "touch" && strip.showPopover ? "none" : "numeric";
});
on("click", ({ target, pointerType }) => {
  const face = $('.move-form [name="face"]:checked');
  if (target.id !== "quantity" || pointerType !== "touch" || !face || !strip.showPopover) return;
  const least = Number(face.dataset.min);
  const most = Math.min(Number(face.dataset.max || target.max), least + 11);
  strip.replaceChildren(...Array.from({ length: most - least + 1 }, (_, place) => {
    const number = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: least + place,
    });
    number.ariaPressed = `${number.textContent === target.value}`;
    return number;
  }));
  strip.style.bottom = `${innerHeight - target.getBoundingClientRect().top + 6}px`;
  strip.showPopover();
});
strip.addEventListener("click", ({ target }) => {
  const quantity = $("#quantity");
  strip.hidePopover?.();
  if (!quantity || target === strip) return;
  quantity.value = target.textContent;
  choose(quantity.form);
});

// While the count climbs the button that goes on skips to its end; what it does then takes a press of its own.
addEventListener("click", (event) => {
  const button = event.target.closest?.(".own [value=confirm]");
  if (!button || !("suspense" in root.dataset || (event.detail && performance.now() - skipped < 350))) return;
  event.preventDefault();
  if ("suspense" in root.dataset) skipped = performance.now();
  hurry();
}, true);

// ---- the reveal: CSS opens the hands, the count climbs with each die; Escape or a tap skips to the end

let began = -Infinity; // when the reveal began, by performance.now()
let played = ""; // which one it was
let end = 0; // the timer of its end
let skipped = -Infinity; // when that button skipped to its end
on("animationstart", ({ animationName, target }) => {
  if (began < 0 || !/^(light-up|nod)$/.test(animationName)) return;
  const count = $$(".hand .lit").filter(({ dataset }) => dataset.order <= target.dataset.order).length;
  if (count <= counted) return; // what a frame brought again begins again
  tell(count);
  for (const shown of $$("[data-count]")) shown.animate({ scale: [1.3, 1] }, 200);
});

let counted = 0; // what the count shows

function tell(count) {
  counted = count;
  for (const shown of $$("[data-count]")) shown.firstChild.nodeValue = `${count ?? shown.dataset.count}`;
}

// Plays a reveal at the server's pace, on from where it was if swapped meanwhile; the end if too late.
function climb() {
  const reveal = $("[data-reveal]");
  if (!reveal) return unveil();
  const { classList, dataset } = reveal;
  const now = performance.now();
  if (classList.contains("is-fresh") && played !== dataset.fresh) {
    played = dataset.fresh;
    began = now;
    counted = 0;
  }
  const age = now - began;
  const left = Number(dataset.lasts) - age;
  if (left < 0 || calm.matches || Number($("[data-due]", reveal)?.dataset.due) - serverNow() < left)
    return hurry();
  classList.add("is-fresh");
  // Not on what htmx swaps: that breaks the policy.
  const times = { begin: -age, call: Number(dataset.call) - age, die: dataset.die, lasts: left };
  for (const name in times) root.style.setProperty(`--reveal-${name}`, `${times[name]}ms`);
  tell(counted); // a frame came with the end of it
  root.dataset.suspense = root.dataset.swaps = "yes"; // of a new element all that moves is timed again
  clearTimeout(end);
  end = setTimeout(unveil, left);
}

// The end has been shown: the tab and screen readers may tell it, see site.js.
function unveil() {
  clearTimeout(end);
  delete root.dataset.swaps;
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

// The least number that may be bid, if the table has passed the one that was chosen; 0 otherwise.
function passed(form) {
  const quantity = $("#quantity", form);
  const least = Number($('[name="face"]:checked', form)?.dataset.min);
  return quantity && Number(quantity.value) < least ? least : 0;
}

function fit() {
  for (const form of $$(".move-form")) {
    form.classList.add("has-script");
    conceal(form);
    const typing = performance.now() - typed < 1500 && document.activeElement?.id === "quantity";
    if (typing) setTimeout(fit, 1600);
    const least = typing ? 0 : passed(form);
    if (least) {
      $("#quantity", form).valueAsNumber = least;
      raised = chosen(form);
    }
    settle(form, { typing });
  }
}

function arrive() {
  fit();
  climb();
}
on("site:swapped", arrive);
arrive();
// A game that opens with its page begins with a roll, a reload does not.
if ($(".is-none") && performance.getEntriesByType("navigation")[0]?.type === "navigate")
  $("#own").classList.add("is-fresh");
