// The review beside a replay: the moment that is shown is marked in the chart and judged beside or
// under the table, and a press on the chart goes to the moment there. Its marks are plain links.

const review = document.getElementById("review");
const slider = document.getElementById("replay-at");
const live = document.getElementById("live");

const REST_MS = 700;
const NEAR = 14; // pixels from the middle of a mark
let resting = null;
let led = false; // here by a link of the review, or by a press on its chart

function show() {
  const number = Number(slider.value);
  const place = document.getElementById("judgement");
  const judgement = review.querySelector(`#judgement-${number}`)?.content.cloneNode(true);
  clearTimeout(resting);
  place?.replaceChildren(...(judgement ? [judgement] : []));
  if (place && judgement) {
    // After the line of the bar, which says what happened.
    resting = setTimeout(() => (live.textContent = place.querySelector(".why").textContent), REST_MS);
  }
  const claim = document.querySelector("[id^=believed-][hx-get]");
  if (claim) window.htmx?.process(claim); // the table came without htmx
  const chart = review.querySelector(".chances");
  if (chart) draw(chart, number);
  if (led) follow(judgement && place ? place : document.querySelector(".board"));
  led = false;
}

// Brings a part into sight with as much as can be seen of what stands above it.
function follow(part) {
  const { top, bottom } = part.getBoundingClientRect();
  const steps = document.querySelector(".steps").getBoundingClientRect();
  const end = steps.width < innerWidth ? innerHeight : steps.top; // they lie over the page
  if (top < 0 || bottom > end) scrollBy(0, Math.min(bottom - end + 8, top));
}

function draw(chart, number) {
  const at = `${100 * (number - 1) / Math.max(1, Number(chart.dataset.count) - 1)}%`;
  const line = chart.querySelector(".now");
  for (const end of ["x1", "x2"]) line.setAttribute(end, at);
  const known = JSON.parse(chart.dataset.chances);
  const [, chances] = known.findLast(([from]) => from <= number) ?? known[0];
  chart.querySelectorAll(".legend .chance").forEach((each, seat) => (each.textContent = chances[seat]));
}

// Marks lie close together: a finger means the nearest one. Beside them it means the moment there.
function pressed(drawn, x, y) {
  const far = (mark) => {
    const { left, top, width, height } = mark.querySelector(".hit").getBoundingClientRect();
    return Math.hypot(left + width / 2 - x, top + height / 2 - y);
  };
  const marks = [...drawn.querySelectorAll(".mark")].sort((one, other) => far(one) - far(other));
  if (marks.length && far(marks[0]) <= NEAR) return Number(marks[0].dataset.moment);
  const { left, width } = drawn.querySelector(".bands rect").getBoundingClientRect();
  const across = Math.min(1, Math.max(0, (x - left) / width));
  return 1 + Math.round(across * (Number(slider.max) - 1));
}

review.addEventListener("click", (event) => {
  const drawn = event.target.closest(".drawn");
  const other = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!other && event.target.closest("a[href]")) led = true;
  if (!drawn || other || !event.detail) return; // by a key: the link that has the focus
  event.preventDefault();
  led = true;
  slider.valueAsNumber = pressed(drawn, event.clientX, event.clientY);
  for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type));
});

// A claim that is pressed at its moment stands in the list of the review, too, and the other way.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const [, place, number] = detail.elt.closest("[id]")?.id.match(/^(claim|believed)-(\d+)$/) ?? [];
  const other = place === "claim" ? "believed" : "claim";
  if (place && document.getElementById(`${other}-${number}`)) detail.parameters.beside = "1";
});
document.addEventListener("site:swapped", show);
if (review.querySelector("template")) show(); // a link to a moment opens with its judgement
review.addEventListener("htmx:afterSwap", ({ detail }) => {
  const waits = review.querySelector("label")?.textContent.trim();
  const first = review.querySelector(".first-look") ?? review.querySelector(".review");
  if (!waits) show();
  else if (live.textContent !== waits) live.textContent = waits;
  // A press leads here, and so does what it waited for: whoever has gone nowhere else since goes on.
  const pressed = detail.requestConfig.elt.matches(".to-review");
  if (!pressed && (waits || !document.activeElement.matches(".to-review, body"))) return;
  first.scrollIntoView({ block: "start" });
  if (!waits) first.focus({ preventScroll: true });
});
