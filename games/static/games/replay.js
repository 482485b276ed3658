// The steps of a replay within its page: buttons, slider, playing, keys, swipes. The server sends
// some moments at once, before they are needed; without this script the buttons are plain links.

import { patience } from "../site/patience.js";
import { prefer, preference } from "./preferences.js";

const page = document.getElementById("replay");
const bar = page.querySelector(".steps");
const slider = document.getElementById("replay-at");
const slid = bar.querySelector(".slid");
const play = document.getElementById("step-play");
const speeds = [...bar.querySelectorAll(".speed button")]; // as many times as fast as normal
// Of each moment: its round, whether it shows what was hidden, who moved (-1: nobody), what they did.
const steps = JSON.parse(document.getElementById("replay-steps").textContent)
  .map(([inRound, opens, seat, told]) => ({ inRound, opens, seat, told }));
const { here, query, batchAddress, batchQuery, round } = bar.dataset;
const count = steps.length;
const batch = Number(bar.dataset.batch);
const me = page.dataset.me === "" ? null : Number(page.dataset.me);

const STANDS_MS = { open: 2000, other: 900 };
const HELD = { after: 400, every: 200 };
const SWIPE = 40;
// What is unfolded beside the table stays so from one moment to the next.
const unfolded = new Map([[".whose", false], [".others-knew", false]]);
// Browsers refuse an address that changes more than a hundred times in half a minute.
const ADDRESS_MS = 400;
const PATIENCE_MS = 12000;
// A slider that is dragged passes moments nobody wants to see: those not there yet are asked for at rest.
const DRAG_MS = 120;

let shown = Number(slider.value);
let wanted = shown;

// ---- what was sent: the nodes of each moment, kept for as long as the page is there

const moments = new Map(); // by number: { table, line }
const asked = new Map(); // by first number of a batch: a promise

function keep(number, table, line) {
  moments.set(number, { table, line });
}

function ask(number) {
  const first = number - ((number - 1) % batch);
  if (first < 1 || first > count) return Promise.resolve();
  if (!asked.has(first)) {
    const address = batchAddress.replace(/0$/, `${first}`) + batchQuery;
    asked.set(
      first,
      fetch(address, { signal: AbortSignal.timeout(patience(PATIENCE_MS)) }).then(async (answer) => {
        if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
        const sent = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const article of sent.querySelectorAll("article[data-moment]")) {
          const [table, line] = article.children;
          keep(Number(article.dataset.moment), table, line);
        }
      }),
    );
    asked.get(first).catch(() => asked.delete(first));
  }
  return asked.get(first);
}

// What a reader may want next is there before they ask.
function ahead(number) {
  for (const near of [number + batch, number - batch]) ask(near).catch(() => {});
}

// ---- one moment after another

const before = here.replace(/0$/, ""); // of every moment of this game
const at = (number) => before + number + query;
const clamp = (number) => Math.min(count, Math.max(1, number));
const next = (from, by, found) => {
  for (let number = from + by; number >= 1 && number <= count; number += by) {
    if (found(steps[number - 1], number)) return number;
  }
  return null;
};
const opens = (step) => step.opens;
const begins = (step, number) => number === 1 || step.inRound !== steps[number - 2].inRound;

async function show(number) {
  wanted = clamp(number);
  slider.valueAsNumber = wanted;
  if (!moments.has(wanted)) {
    const asking = wanted;
    try {
      await ask(asking);
    } catch ({ status }) {
      if (asking === wanted) stay(asking, status);
      return;
    }
    if (asking !== wanted) return;
  }
  if (wanted === shown) return;
  put(wanted);
  ahead(wanted);
}

// What could not be had is said, and the moment that is shown stays.
function stay(number, status) {
  if (status === 404) { // another version of the site, or no such game any more: its page knows
    location.replace(at(number));
    return;
  }
  stop();
  wanted = slider.valueAsNumber = shown;
  const what = status ?? (navigator.onLine ? "timeout" : "offline");
  document.dispatchEvent(new CustomEvent("site:say", { detail: what }));
}

function put(number) {
  const { table, line } = moments.get(number);
  const margin = page.querySelector(".margin")?.scrollTop ?? 0;
  for (const each of unfolded.keys()) {
    unfolded.set(each, page.querySelector(each)?.open ?? unfolded.get(each));
  }
  document.getElementById("table").replaceWith(table.cloneNode(true));
  bar.querySelector(".moment").replaceChildren(...line.cloneNode(true).childNodes);
  for (const [each, open] of unfolded) {
    const fresh = page.querySelector(each);
    if (fresh) fresh.open = open;
  }
  const beside = page.querySelector(".margin");
  if (beside) beside.scrollTop = margin;
  shown = number;
  tell();
  follow();
  const share = document.getElementById("share");
  if (share) share.value = new URL(at(number), location.href).href;
  const ask = document.getElementById("ask");
  if (ask) {
    ask.hidden = steps[number - 1].seat < 0;
    ask.elements.moment.value = `${number}`;
  }
  const again = document.getElementById("try-again");
  if (again) {
    again.hidden = steps[number - 1].seat < 0;
    again.action = `${before}${number}/try`;
  }
  document.dispatchEvent(new Event("site:swapped"));
  listen();
}

let followed = -Infinity;
let following = null;
function follow() {
  clearTimeout(following);
  const rest = followed + ADDRESS_MS - performance.now();
  if (rest > 0) {
    following = setTimeout(follow, rest);
    return;
  }
  followed = performance.now();
  history.replaceState(history.state, "", at(shown));
}

function tell() {
  slider.valueAsNumber = shown;
  slider.setAttribute("aria-valuetext", words(shown));
  const ways = {
    "step-prev": clamp(shown - 1),
    "step-next": clamp(shown + 1),
    "step-prev-open": next(shown, -1, opens) ?? 1,
    "step-next-open": next(shown, 1, opens) ?? count,
  };
  for (const [id, to] of Object.entries(ways)) {
    const link = document.getElementById(id);
    link.href = at(to);
    if (to === shown) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
  const list = page.querySelector(".move-list");
  const row = list?.querySelector("[aria-current]");
  if (row) list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - 44;
}

function words(number) {
  const { inRound, told } = steps[number - 1];
  return [round.replace("#", inRound), told].filter(Boolean).join(" · ");
}

// ---- the chat depends on who reads it: it comes with the page, once a reader rests at a moment

const REST_MS = 700;
let resting = null;
function listen() {
  const talk = document.getElementById("said-then");
  if (!talk) return;
  clearTimeout(resting);
  resting = setTimeout(async () => {
    const address = at(shown);
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok || address !== at(shown)) return;
    const sent = new DOMParser().parseFromString(await answer.text(), "text/html");
    const then = sent.getElementById("said-then");
    if (!then) return;
    talk.hidden = then.hidden;
    talk.replaceChildren(...then.childNodes);
  }, REST_MS);
}

// ---- playing

let timer = null;

function stop() {
  clearTimeout(timer);
  timer = null;
  pressed(false);
}

function pressed(playing) {
  play.setAttribute("aria-pressed", String(playing));
}

function wait() {
  const stands = steps[shown - 1].opens ? STANDS_MS.open : STANDS_MS.other;
  timer = setTimeout(async () => {
    await show(wanted + 1);
    if (timer === null) return;
    if (shown === count) stop();
    else wait();
  }, stands / pace());
}

function toggle() {
  if (timer !== null) {
    stop();
    return;
  }
  pressed(true);
  if (shown === count) show(1).then(wait);
  else wait();
}

const pace = () => Number(speeds.find((each) => each.getAttribute("aria-pressed") === "true").value);
function setPace(chosen) {
  for (const each of speeds) each.setAttribute("aria-pressed", String(each === chosen));
}
const kept = Math.min(Number(preference("replay-speed")), 2); // there was a faster one
const last = speeds.find((each) => Number(each.value) === kept);
if (last) setPace(last);
for (const each of speeds) {
  each.addEventListener("click", () => {
    setPace(each);
    prefer("replay-speed", each.value);
  });
}
play.addEventListener("click", toggle);

// ---- the buttons, and every other link to a moment of this view

const addressOf = (link) => new URL(link.getAttribute("href"), location.href); // of a chart's too
const numberOf = (link) => {
  const { origin, pathname, search, hash } = addressOf(link);
  const number = pathname.startsWith(before) ? Number(pathname.slice(before.length)) : Number.NaN;
  const ours = origin === location.origin && search === query && !hash;
  return ours && Number.isInteger(number) && number >= 1 && number <= count ? number : null;
};

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  const number = numberOf(link);
  if (number !== null) {
    event.preventDefault();
    stop();
    if (held === null) show(number);
  } else if (addressOf(link).pathname.startsWith(before)) {
    event.preventDefault(); // another view of the same game is no page to go back to
    location.replace(addressOf(link));
  }
});

// An inner button that is held goes on.
let held = null;
function hold(by) {
  stop();
  held = setInterval(() => show(wanted + by), HELD.every);
}
for (const [id, by] of Object.entries({ "step-prev": -1, "step-next": 1 })) {
  const button = document.getElementById(id);
  let soon = null;
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    soon = setTimeout(hold, HELD.after, by);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => {
      clearTimeout(soon);
      clearInterval(held);
      setTimeout(() => (held = null)); // the click that follows is no step more
    });
  }
  button.addEventListener("contextmenu", (event) => held !== null && event.preventDefault());
  button.draggable = false;
}

// ---- the slider says where it is while it is moved

let dragged = null;
slider.addEventListener("input", () => {
  stop();
  const number = Number(slider.value);
  slid.hidden = false;
  slid.textContent = words(number);
  slider.setAttribute("aria-valuetext", slid.textContent);
  clearTimeout(dragged);
  if (moments.has(number)) show(number);
  else dragged = setTimeout(show, DRAG_MS, number);
});
slider.addEventListener("change", () => {
  clearTimeout(dragged);
  slid.hidden = true;
  show(Number(slider.value));
});

// ---- keys

let repeated = 0;
const mine = (step) => step.seat === me;
const KEYS = {
  ArrowLeft: () => show(wanted - 1),
  ArrowRight: () => show(wanted + 1),
  Home: () => show(1),
  End: () => show(count),
  d: (by) => show(next(wanted, by, opens) ?? (by > 0 ? count : 1)),
  r: (by) => show(next(wanted, by, begins) ?? (by > 0 ? count : 1)),
  m: (by) => me !== null && show(next(wanted, by, mine) ?? wanted),
};

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input:not([type=range]), select, textarea")) return;
  if (key === " ") {
    if (target.matches("a, button, summary, [tabindex='0']")) return;
    event.preventDefault();
    toggle();
    return;
  }
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (!act) return;
  event.preventDefault();
  if (event.repeat && event.timeStamp - repeated < HELD.every) return;
  repeated = event.timeStamp;
  stop();
  act(event.shiftKey ? -1 : 1);
});

// ---- swipes, on the board only

let down = null;
page.addEventListener("pointerdown", (event) => {
  down = event.pointerType === "touch" && event.target.closest(".board") ? event : null;
});
page.addEventListener("pointerup", (event) => {
  if (!down || event.pointerId !== down.pointerId) return;
  const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
  down = null;
  if (Math.abs(x) < SWIPE || Math.abs(x) < 2 * Math.abs(y)) return;
  stop();
  show(wanted + (x < 0 ? 1 : -1));
});
page.addEventListener("pointercancel", () => (down = null));

// ---- at first: the address of this moment, and what comes next

keep(shown, document.getElementById("table").cloneNode(true), bar.querySelector(".moment").cloneNode(true));
const opened = new URLSearchParams(location.search).has("open");
if (!opened) history.replaceState(history.state, "", at(shown));
else moments.delete(shown); // with every hand this once
tell();
ask(shown).then(() => ahead(shown)).catch(() => {});
