// Keeps the socket connected, and shows the banner when the connection is lost.

const body = document.body;
const banner = document.getElementById("banner");

function tell(state) {
  for (const words of banner.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
  banner.hidden = !state;
}

let socket = null; // null: no socket has been lost
const COMES_BACK = [1006, 1011, 1012, 1013]; // the codes after which htmx tries again

// The first retry comes at once, spread over 0.3 s; the next ever more slowly, at most 8 s apart.
const pause = (tries) => (tries ? Math.min(8000, 400 * 2 ** tries) * (0.5 + Math.random() / 2) : 50 + Math.random() * 250);
const HANDSHAKE = 10000; // ms; a browser by itself waits minutes
function connect(url) {
  const made = new WebSocket(url);
  setTimeout(() => made.readyState === WebSocket.CONNECTING && made.close(), HANDSHAKE);
  return made;
}
if (window.htmx) {
  htmx.config.wsReconnectDelay = pause;
  htmx.createWebSocket = connect;
}

// A connection may fail silently. The server sends a heartbeat every half minute, and every move
// comes back as a frame; when neither arrives, connect again.
const SILENCE = 70000, ECHO = 4000; // ms
let line = null, heard = 0;
const hears = () => (heard = performance.now());
const again = (since) => line && !socket && heard <= since && (hears(), line.reconnect());
setInterval(() => again(performance.now() - SILENCE), 5000);
body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const done = detail.successful && detail.requestConfig.verb === "post" && !detail.xhr.responseText.trim();
  if (done) setTimeout(again, ECHO, detail.xhr.asked);
});
body.addEventListener("htmx:beforeSend", ({ detail }) => (detail.xhr.asked = performance.now()));

let timer = 0; // of the banner: a short interruption shows none
body.addEventListener("htmx:wsOpen", ({ detail }) => {
  line = detail.socketWrapper;
  hears();
  socket = null;
});
body.addEventListener("htmx:wsClose", ({ detail }) => {
  if (body.dataset.leaving) return;
  const returns = COMES_BACK.includes(detail.event.code);
  socket = returns ? detail.socketWrapper : null;
  clearTimeout(timer);
  timer = setTimeout(tell, returns ? 800 : 0, returns ? "lost" : "closed");
});
window.addEventListener("offline", () => tell("lost"));
window.addEventListener("online", () => (socket ? socket.reconnect() : tell("")));
window.addEventListener("pagehide", () => (body.dataset.leaving = "yes"));
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
body.addEventListener("htmx:wsBeforeMessage", () => {
  hears();
  clearTimeout(timer);
  tell(""); // only a message proves that the page is current, not an open socket
});
