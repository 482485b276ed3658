// Shows for a while what its reader is told, in the page's head over the site's name: nothing that a
// player needs lies there, and the badge beside it stays. The server renders it hidden (_inbox.html).

const KEY = "inbox-shown"; // the latest one shown in any tab
const LEAST = 8000, PER_LETTER = 90; // ms, as in notices.js
const find = (rest = "") => document.querySelector(`#inbox ${rest}`);

const session = document.body.dataset.session; // another person counts from the beginning
let shown = 0; // for a browser that keeps nothing
let timer = 0;
function read() {
  try {
    const [of, seq] = JSON.parse(localStorage.getItem(KEY));
    return of === session ? Math.max(shown, seq) : shown;
  } catch {
    return shown;
  }
}
function keep(seq) {
  shown = seq;
  try {
    localStorage.setItem(KEY, JSON.stringify([session, seq]));
  } catch {}
}

function hide() {
  const news = find(".news");
  if (!news) return;
  if (news.matches(":hover, :focus-within")) timer = setTimeout(hide, LEAST);
  else news.hidden = true;
}

// A hidden page shows it when it is seen again, if another has not done so.
function show() {
  const news = find(".news"), seq = Number(find()?.dataset.seq);
  if (!news || document.hidden || seq <= read()) return;
  keep(seq);
  clearTimeout(timer);
  news.hidden = false;
  document.getElementById("live").textContent = news.querySelector("a").textContent;
  timer = setTimeout(hide, LEAST + PER_LETTER * news.textContent.length);
}

document.addEventListener("site:swapped", show);
document.addEventListener("visibilitychange", show);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(".news button")) find(".news").hidden = true;
});
show();
