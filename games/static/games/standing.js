// Who is at a standing table is looked at again while its page is seen, and said when it has changed.

const EVERY_MS = 8000;
const now = () => document.getElementById("standing-now");
const news = () => now().querySelector("h2").textContent.replace(/\s+/g, " ").trim();

// What somebody writes or is about to press stays.
function isBusy() {
  const name = document.getElementById("guest-name");
  return now().contains(document.activeElement) || (name && name.value !== name.defaultValue);
}

let said = news();
const timer = setInterval(look, EVERY_MS);

function look() {
  if (!document.hidden && !isBusy()) htmx.trigger(now(), "look");
}

document.addEventListener("visibilitychange", look);
document.addEventListener("htmx:afterSettle", () => {
  if (news() === said) return;
  said = news();
  document.getElementById("live").textContent = said;
});
// The link was renewed, or the table deleted: the page says so.
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (![404, 410].includes(detail.xhr.status)) return;
  clearInterval(timer);
  location.reload();
});
