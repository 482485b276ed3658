// The server's clock, for all that waits or counts down. It runs on the browser's own timer, which
// nobody sets: a device whose clock is wrong, or is set meanwhile, shows the same.

const root = document.documentElement;

// In ms since 1970, like every time that the server writes into a page.
export const serverNow = () => performance.now() + Number(root.dataset.ahead);

// data-ahead: how far the server's clock (ms since 1970) is ahead of performance.now().
function hear(now, at) {
  const ahead = now - at;
  const known = Number(root.dataset.ahead ?? -Infinity);
  // What comes late says too little: the highest is the truest, unless the server's clock was set.
  if (ahead > known || ahead < known - 5000) root.dataset.ahead = `${ahead}`;
}

const [page] = performance.getEntriesByType("navigation");
if (document.body.dataset.now)
  hear(Number(document.body.dataset.now), page?.responseStart || performance.now());

// Each message says the server's time when it was sent. The timer stands still while a device sleeps:
// the first message after that puts it right.
document.addEventListener("htmx:wsBeforeMessage", ({ detail: { message } }) => {
  const [, now] = message.match(/<!-- now (\d+) -->$/) ?? [];
  if (now) hear(Number(now), performance.now());
});
