// The offline page heals itself: as soon as the site answers again, it becomes the page that was
// asked for.

async function look() {
  try {
    if (!(await fetch("/healthz", { cache: "no-store" })).ok) return;
  } catch {
    return;
  }
  if (location.pathname === document.body.dataset.offline) location.replace("/");
  else location.reload();
}

addEventListener("online", look);
setInterval(look, 5000);
