// Forms that lead to another page. Where the connection is known to be lost the form stays on the
// page with what was typed, and says so: the browser would show its own error page instead. What
// fails on the way is answered by the service worker, and what was typed is kept for the way back.

import { patience } from "./patience.js";

const body = document.body;
const REACH = 5000; // ms
let sure = null; // the form that was found to be able to go

const isLost = () => !navigator.onLine || body.dataset.line === "lost";

async function reach() {
  const left = new AbortController();
  setTimeout(() => left.abort(), patience(REACH));
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: left.signal });
    return answer.ok ? "" : answer.status;
  } catch {
    return navigator.onLine ? "unreachable" : "offline";
  }
}

addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== "post") return;
  if (sure === form || !isLost()) {
    sure = null;
    return document.dispatchEvent(new Event("site:keep"));
  }
  event.preventDefault();
  const trouble = await reach();
  if (trouble) return document.dispatchEvent(new CustomEvent("site:say", { detail: trouble }));
  sure = form;
  form.requestSubmit(submitter);
});
