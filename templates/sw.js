// The service worker: keeps one page for a time without network, and nothing else; no page of a
// game ever comes to rest here. It also shows notifications where only a worker may, and what comes by push.

const NAME = {{ name|safe }};
const KEPT = {{ kept|safe }};

self.addEventListener("install", (event) => {
  self.skipWaiting(); // an older worker knows nothing a page would miss
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(KEPT)));
});

self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await self.registration.navigationPreload?.enable(); // a page need not wait until a worker is up
  await clients.claim(); // the forms of the first page too
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(request.method === "GET" ? page(event) : sent(request));
  else if (KEPT.includes(new URL(request.url).pathname)) event.respondWith(part(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await kept(KEPT[0])) ?? Response.error();
  }
}

// A form that leads to another page. Where the site did not answer, or something in front of it, the kept
// page says so and leads back; to load that page again is to send the form again, and the browser asks first.
async function sent(request) {
  let trouble = "unreachable";
  try {
    const answer = await fetch(request);
    const isOurs = answer.headers.has("Cross-Origin-Opener-Policy") && answer.status !== 413;
    if (answer.status < 400 || isOurs) return answer;
    trouble = answer.status;
  } catch {}
  const offline = await kept(KEPT[0]);
  if (!offline) return Response.error();
  const words = (await offline.text()).replace("<body", `<body data-unsent="${trouble}"`);
  return new Response(words, { status: 503, headers: offline.headers });
}

async function part(request) {
  try {
    return await fetch(request);
  } catch {
    return (await kept(request)) ?? Response.error();
  }
}

const kept = (what) => caches.open(NAME).then((cache) => cache.match(what));

self.addEventListener("push", (event) => event.waitUntil(tell(event.data)));

// Browsers ask that every push shows something, so does one that cannot be read.
async function tell(data) {
  let told = {};
  try {
    told = data.json();
  } catch {}
  const { title = location.hostname, body = "", url = "/", tag = "site", waiting = 0 } = told;
  if (waiting) await navigator.setAppBadge?.(waiting).catch(() => {});
  const address = new URL(url, location.origin);
  await registration.showNotification(title, { body, tag, icon: {{ icon|safe }}, data: address.href });
}

// The push service has ended a subscription: the next page tells the site of the new one.
self.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription: old, newSubscription } = event;
  if (!newSubscription && old) event.waitUntil(registration.pushManager.subscribe(old.options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(back(event.notification.data));
});

async function back(address) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => page.url === address);
  return open ? open.focus() : clients.openWindow(address);
}
