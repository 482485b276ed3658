// Tells a person by push while no page is open: turning it on and off in this browser, where it is offered
// (_push_offer.html), on its own page (notifications.html) and beside a table (notify.js). It also keeps the
// number on the icon of the installed app.

import { serverNow } from "../site/clock.js";
import { prefer, preference } from "./preferences.js";

const { push: key, pushUrl, person, session } = document.body.dataset;
const DAY = 86_400_000;
const all = (selector) => document.querySelectorAll(selector);
export const canPush = !!key && !!window.PushManager && !!window.Notification && !!navigator.serviceWorker;

// ---- this browser at its push service

const worker = () => navigator.serviceWorker.ready;

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (each) => each.charCodeAt(0));
}

// With the key of the site as it is now: who has subscribed for another hears nothing any more.
async function subscribed() {
  const { pushManager } = await worker();
  const ours = bytes(key);
  const found = await pushManager.getSubscription();
  const made = found && new Uint8Array(found.options.applicationServerKey ?? []);
  if (found && `${made}` === `${ours}`) return found;
  await found?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: ours });
}

async function send(what, subscription) {
  const given = subscription?.toJSON();
  const fields = { ...what, endpoint: given?.endpoint ?? "", ...given?.keys };
  const answer = await fetch(pushUrl, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: JSON.parse(document.body.getAttribute("hx-headers")),
  });
  // Something else than the site may have answered.
  const isOurs = answer.headers.get("Content-Type")?.startsWith("text/plain");
  return { ok: answer.ok, said: isOurs ? await answer.text() : undefined };
}

const mark = (subscription) => [session, key, subscription.endpoint, Math.floor(serverNow() / DAY)].join(" ");
const isOn = () => canPush && preference("push") === person && Notification.permission === "granted";

export const isTold = (switches) =>
  isOn() && switches.split(" ").every((each) => preference(`push-${each}`) === person);

// Turns it on; `switches`: for what, or what is usual. Throws where the browser or the site fails.
export async function turnOn(switches = "") {
  const has = Notification.permission === "granted";
  if (!has && (await Notification.requestPermission()) !== "granted") return { ok: false, denied: true };
  const subscription = await subscribed();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const answer = await send({ do: "on", for: switches, zone: timeZone ?? "" }, subscription);
  if (answer.ok) {
    prefer("push", person);
    prefer("push-sent", mark(subscription));
    for (const each of switches.split(" ")) prefer(`push-${each}`, person);
  }
  return answer;
}

export async function turnOff(what, switches = "") {
  const found = what === "unwant" ? null : await (await worker()).pushManager.getSubscription();
  const answer = await send({ do: what, for: switches }, found);
  if (!answer.ok) return answer;
  for (const each of switches.split(" ")) prefer(`push-${each}`, "");
  if (what !== "unwant") {
    prefer("push", "");
    await found?.unsubscribe();
  }
  return answer;
}

// The address of a browser changes now and then, its session with every sign-in.
async function refresh() {
  if (!isOn()) return;
  const subscription = await subscribed();
  if (preference("push-sent") === mark(subscription)) return;
  const { ok } = await send({ do: "refresh" }, subscription);
  if (ok) prefer("push-sent", mark(subscription));
}

// ---- where it is offered

async function press(box, act) {
  const says = box.querySelector("[role=status]"), buttons = box.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  let answer = { ok: false };
  try {
    answer = await act();
  } catch {}
  for (const button of buttons) button.disabled = false;
  says.textContent = answer.denied ? box.dataset.denied : answer.said ?? box.dataset.trouble;
  return answer.ok;
}

for (const box of all("[data-push-for]")) {
  const { pushFor } = box.dataset;
  const button = box.querySelector("button");
  box.hidden = !canPush || Notification.permission === "denied" || isTold(pushFor);
  button.addEventListener("click", async () => {
    button.hidden = await press(box, () => turnOn(pushFor));
  });
}

function show(box) {
  box.querySelector("[data-push-do=on]").hidden = isOn();
  box.querySelector("[data-push-do=off]").hidden = !isOn();
}

for (const box of all("[data-push-settings]")) {
  const isApple = /iPhone|iPad/.test(navigator.userAgent) ||
    (navigator.maxTouchPoints > 1 && /Mac/.test(navigator.platform));
  const needsHome = !canPush && isApple && !navigator.standalone;
  document.querySelector(".push-home-screen").hidden = !needsHome;
  document.querySelector(".push-cannot").hidden = canPush || needsHome;
  box.hidden = !canPush;
  show(box);
  for (const button of box.querySelectorAll("button"))
    button.addEventListener("click", async () => {
      const what = button.dataset.pushDo;
      await press(box, () => (what === "on" ? turnOn() : turnOff(what)));
      show(box);
    });
  const zone = document.querySelector("[name=zone]");
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? zone.value;
  document.querySelector("[data-zone]").textContent = zone.value.replaceAll("_", " ");
}

// ---- the number on the icon

function count() {
  const waiting = Number(document.getElementById("inbox")?.dataset.waiting ?? 0);
  if (waiting) navigator.setAppBadge?.(waiting).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

document.addEventListener("site:swapped", count);
count();
if (canPush) refresh().catch(() => {}); // the next page tries again
