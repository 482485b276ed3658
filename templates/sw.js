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
    trouble = `${answer.status}`;
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

// Browsers ask that every push shows something, so does one that cannot be read. Of one tag there is one
// notification, and each makes itself heard anew.
async function tell(data) {
  let told = {};
  try {
    told = data.json();
  } catch {}
  const { title = location.hostname, body = "", url = "/", tag = "site", waiting, open } = told;
  if (waiting !== undefined) await number(waiting);
  const address = new URL(url, location.origin);
  const words = { body, tag, renotify: true, icon: {{ icon|safe }}, data: address.href };
  await registration.showNotification(title, words);
  if (open) await tidy([...open, tag], /:|^\/games\//);
}

async function number(waiting) {
  const done = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  await done?.catch(() => {});
}

// Puts away what was read elsewhere: notifications of these kinds that are not open. A page that is there looks
// after those of its own table (notify.js).
async function tidy(open, kinds) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const here = pages.map((page) => new URL(page.url).pathname);
  for (const shown of await registration.getNotifications())
    if (kinds.test(shown.tag) && !open.includes(shown.tag) && !here.includes(shown.tag)) shown.close();
}

// A page knows what is in the inbox of its person; what many are told at once is not in it.
self.addEventListener("message", (event) => {
  const { tags } = event.data ?? {};
  if (tags) event.waitUntil(tidy(tags, /^(?!waiting:|question:|meeting:).*:|^\/games\//));
});

// The push service has ended a subscription: the site is told of the new one at once.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription)));

async function renew(made) {
  const asked = await fetch({{ push_url|safe }});
  if (!asked.ok) return; // nobody is signed in
  const { key, token } = await asked.json();
  made ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const answer = await fetch({{ push_url|safe }}, {
    method: "POST",
    body: new URLSearchParams({ do: "refresh", endpoint, ...keys }),
    headers: { "X-CSRFToken": token },
  });
  if (answer.status === 410) await made.unsubscribe();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(back(event.notification.data));
});

async function back(address) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  // What stands behind the path says where on that page somebody is.
  const of = (url) => url.split(/[?#]/)[0];
  const open = pages.filter((page) => of(page.url) === of(address));
  const page = open.find((each) => each.url === address) ?? open[0];
  return page ? page.focus() : clients.openWindow(address);
}
