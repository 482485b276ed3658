// Says what became of an action when the site did not answer, or something else answered in its
// place. htmx is silent then; the sentences are on every page, in #failures.

import { answered, patience } from "./patience.js";

const body = document.body;
const place = document.getElementById("notice");
const sentences = [...document.getElementById("failures").content.children];
const SLOW = 2500, PATIENCE = 12000; // ms, longer on a slow line; the site itself answers within a few seconds

// `what`: a status, or a name of data-failure; another status counts as 400 or 500.
function say(what) {
  const find = (name) => sentences.find(({ dataset }) => dataset.failure.split(" ").includes(`${name}`));
  place.replaceChildren((find(what) ?? find(what >= 500 ? 500 : 400)).cloneNode(true));
  for (const menu of document.querySelectorAll("[popover]")) menu.hidePopover?.(); // it would lie over it
}

document.addEventListener("site:say", ({ detail }) => say(detail));
// What was said to be lost perhaps is there after all.
document.addEventListener("site:stored", () => {
  for (
    const each of place.querySelectorAll(
      "[data-failure~=timeout], [data-failure~=unreachable], [data-failure~=slow]",
    )
  )
    each.remove();
});

// Of a foreign answer nothing comes onto the page: the page of a proxy, a hotel's form to sign in.
function isOurs({ serverResponse, target, requestConfig }) {
  const text = serverResponse.trimStart();
  if (target === place) return !text || text.startsWith('<p class="notice');
  const part = requestConfig.elt.closest("[hx-select]")?.getAttribute("hx-select");
  return part ? text.includes(`id="${part.slice(1)}"`) : !/^<(!doctype|html)\b/i.test(text);
}

const on = (name, handle) =>
  body.addEventListener(`htmx:${name}`, ({ detail }) => body.dataset.leaving || handle(detail));
on("beforeSend", ({ xhr, requestConfig }) => {
  xhr.began = performance.now();
  xhr.timeout = patience(PATIENCE);
  if (requestConfig.verb === "post") xhr.slow = setTimeout(say, patience(SLOW), "slow");
});
on("afterRequest", ({ xhr, requestConfig }) => {
  clearTimeout(xhr.slow);
  if (xhr.status) answered(xhr.began);
  if (requestConfig.verb === "post") place.querySelector("[data-failure=slow]")?.remove();
});
on("beforeSwap", (detail) => {
  if (!detail.shouldSwap || isOurs(detail)) return;
  detail.shouldSwap = false;
  detail.xhr.isForeign = true;
  if (!detail.isError) say("foreign");
});
on("responseError", ({ xhr }) => {
  if (xhr.status === 403) return document.dispatchEvent(new Event("site:session")); // see session.js
  const isSaid = [429, 503].includes(xhr.status) && !xhr.isForeign; // swapped in: see base.html
  if (!isSaid) say(xhr.status);
});
on("sendError", () => say(navigator.onLine ? "unreachable" : "offline"));
on("timeout", () => say(navigator.onLine ? "timeout" : "offline"));
on("swapError", () => say(500));
