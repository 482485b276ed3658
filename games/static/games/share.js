// The buttons of _share.html: copy the link or the words around it, or hand it to the device's share
// sheet. Loaded where there is a link to share; links in fragments that are swapped in later work too.

const parts = (share) =>
  ["input, textarea", ".copy", ".send", ".share-says"].map((part) => share.querySelector(part));

function prepare() {
  for (const share of document.querySelectorAll("[data-share]")) {
    const [link, copy, send] = parts(share);
    const whole = link.dataset.url ? link.value : new URL(link.value, location.href).href;
    if (link.value !== whole) link.value = whole;
    copy.disabled = false;
    send.hidden = !navigator.share;
  }
}

async function copyText(link) {
  link.select();
  // Without HTTPS browsers offer only the old way.
  if (navigator.clipboard) return navigator.clipboard.writeText(link.value);
  if (!document.execCommand("copy")) throw new Error("not allowed");
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share] button");
  if (!button) return;
  const [link, copy, send, says] = parts(button.closest("[data-share]"));
  if (button === copy) {
    says.textContent = "";
    says.textContent = await copyText(link).then(() => copy.dataset.done, () => copy.dataset.failed);
  } else if (button === send) {
    // Closing the sheet without sharing is no fault.
    const { name: title, url, text } = link.dataset;
    await navigator.share(url ? { title, text, url } : { title, url: link.value }).catch(() => {});
  }
});
document.addEventListener(
  "focusin",
  ({ target }) => target.matches("[data-share] :is(input, textarea)") && target.select(),
);
for (const swapped of ["site:swapped", "htmx:afterSettle"]) document.addEventListener(swapped, prepare);
prepare();
