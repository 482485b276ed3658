// The table of Perudo: keeps the bid control legal and plays the reveal. The server judges every move.

const serverNow = () => Date.now() - Number(document.documentElement.dataset.skew || 0);
const $ = (selector, within = document) => within.querySelector(selector);

// ---- the bid control: a number and six faces, each with the least and the most it may stand for

// Brings the number into the chosen face's range, and shows what the button will say.
function settle(form) {
  const quantity = $('[name="quantity"]', form);
  const face = $('[name="face"]:checked', form);
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

document.addEventListener("change", ({ target }) => target.form?.matches("[data-bid]") && settle(target.form));
document.addEventListener("input", ({ target }) => target.id === "quantity" && ($("[data-said] b").textContent = target.value));
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (button) {
    const quantity = $('[name="quantity"]', button.form);
    quantity.value = Number(quantity.value) + Number(button.dataset.step);
    settle(button.form);
  }
  if (!target.closest("button, a, input, label, summary")) hurry();
});

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

function arrive() {
  for (const form of document.querySelectorAll("[data-bid]")) {
    form.classList.add("has-script");
    settle(form);
  }
  climb();
}
document.addEventListener("site:swapped", arrive);
arrive();
