// Tells a person by push while no page is open: turning it on and off in this browser, where it is offered
// (_push_offer.html), on its own page (notifications.html) and beside a table (notify.js). It also keeps the
// number on the icon of the installed app.

import { serverNow } from "../site/clock.js";
import { prefer, preference } from "./preferences.js";

const { push: key, pushUrl, pushPage, person, session } = document.body.dataset;
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
  const asks = answer.headers.get("X-Asks");
  return { ok: answer.ok, status: answer.status, asks, said: isOurs ? await answer.text() : undefined };
}

const mark = (subscription) => [session, key, subscription.endpoint, Math.floor(serverNow() / DAY)].join(" ");
// In this browser, as far as it knows: the site knows better, and `refresh` asks it. For what, the page says.
export const isOn = () => canPush && preference("push") === person && Notification.permission === "granted";

async function forget(subscription) {
  prefer("push", "");
  await subscription?.unsubscribe();
}

// Private browsers say none, or another.
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

// Turns it on; `switches`: for what, or what is usual. Throws where the browser or the site fails.
export async function turnOn(switches = "") {
  const has = Notification.permission === "granted";
  if (!has && (await Notification.requestPermission()) !== "granted") return { ok: false, denied: true };
  const subscription = await subscribed();
  const answer = await send({ do: "on", for: switches, zone: zone() }, subscription);
  if (answer.ok) {
    prefer("push", person);
    prefer("push-sent", mark(subscription));
  }
  return answer;
}

export async function turnOff(what, switches = "") {
  const found = what === "unwant" ? null : await (await worker()).pushManager.getSubscription();
  const answer = await send({ do: what, for: switches }, found);
  if (answer.ok && what !== "unwant") await forget(found);
  return answer;
}

// The address of a browser changes now and then. Where it was turned off elsewhere, or has ended with its
// session, it is off here too: nothing but a press turns it on.
async function refresh({ always = false } = {}) {
  if (!isOn()) return;
  const subscription = await subscribed();
  if (!always && preference("push-sent") === mark(subscription)) return;
  const answer = await send({ do: "refresh", zone: zone() }, subscription);
  if (answer.status === 410) return forget(subscription);
  if (!answer.ok) return;
  prefer("push-sent", mark(subscription));
  if (!answer.asks) prefer("push-zone", "");
  else if (!always) askOfZone(answer.said);
}

// Once in each zone: quiet hours stay those of a traveller's home unless they say so.
function askOfZone(sentence) {
  if (preference("push-zone") === zone()) return;
  prefer("push-zone", zone());
  const link = Object.assign(document.createElement("a"), { href: pushPage, textContent: sentence });
  const notice = Object.assign(document.createElement("p"), { className: "notice" });
  notice.append(link);
  document.getElementById("notice").replaceChildren(notice);
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
  const { pushFor, pushWanted } = box.dataset;
  const button = box.querySelector("button");
  const isTold = isOn() && pushWanted !== undefined;
  box.hidden = !canPush || Notification.permission === "denied" || isTold;
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
  // It may have been turned off elsewhere.
  if (canPush) refresh({ always: true }).then(() => show(box), () => {});
  offerZone(document.querySelector("[data-zone-of-browser]"));
}

// The zone of this browser is proposed to who has chosen none, and offered where it is another one.
function offerZone(box) {
  const field = document.querySelector("[name=zone]");
  const ours = option(field, zone());
  const offer = () => (box.hidden = !ours || ours.selected);
  if (ours && field.dataset.isNew !== undefined) ours.selected = true;
  box.querySelector("b").textContent = ours?.textContent;
  box.querySelector("button").addEventListener("click", () => {
    ours.selected = true;
    offer();
    field.focus();
  });
  field.addEventListener("change", offer);
  offer();
}

// Browsers have several names for a zone; two are the same where they make one of them.
function option(field, name) {
  const known = (value) => {
    try {
      return Intl.DateTimeFormat("en", { timeZone: value || "UTC" }).resolvedOptions().timeZone;
    } catch {}
  };
  const options = [...field.options];
  return options.find((each) => each.value === name) ??
    options.find((each) => known(each.value) === known(name));
}

// ---- the number on the icon

function count() {
  const waiting = Number(document.getElementById("inbox")?.dataset.waiting ?? 0);
  if (waiting) navigator.setAppBadge?.(waiting).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

let tidied; // data-tags, as it was last seen

// Notifications of what was read since, here or elsewhere, go.
async function tidy() {
  const tags = document.getElementById("inbox")?.dataset.tags;
  if (tags === undefined || window.Notification?.permission !== "granted") return;
  const helper = await navigator.serviceWorker?.getRegistration();
  helper?.active?.postMessage({ tags: tags.split(" ") });
}

function look() {
  count();
  const { tags } = document.getElementById("inbox")?.dataset ?? {};
  if (tags === tidied) return;
  tidied = tags;
  tidy().catch(() => {});
}

document.addEventListener("site:swapped", look);
look();
if (canPush && !document.querySelector("[data-push-settings]")) refresh().catch(() => {}); // the next page tries again
