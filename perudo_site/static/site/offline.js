// The offline page heals itself: as soon as the site answers again, it becomes the page that was
// asked for. Where a form was not sent it says why instead, and leads back to what was typed.

const { offline, unsent } = document.body.dataset;

async function look() {
  try {
    if (!(await fetch("/healthz", { cache: "no-store" })).ok) return;
  } catch {
    return;
  }
  if (location.pathname === offline) location.replace("/");
  else location.reload();
}

function lead() {
  const { content } = document.getElementById("unsent");
  const said = [...content.querySelectorAll("[data-unsent]")];
  const find = (selector) => document.querySelector(`main ${selector}`);
  find("h1").textContent = content.querySelector("b").textContent;
  find("p").textContent = (said.find(({ dataset }) => dataset.unsent === unsent) ?? said.at(-1)).textContent;
  const back = find("a");
  back.textContent = content.querySelector("a").textContent;
  back.addEventListener("click", (event) => {
    event.preventDefault();
    history.back();
  });
  try {
    sessionStorage.setItem("returns", "true");
  } catch {} // session.js
}

if (unsent) {
  lead();
} else {
  addEventListener("online", look);
  setInterval(look, 5000);
}
