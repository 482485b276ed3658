// Looks by request where no WebSocket gets through. To htmx it is a socket that brings what is new;
// to the server each look is what a socket's heartbeat is, with the same answer for the same reader.

import { answered, missed, patience } from "./patience.js";

const EVERY = 3000, HIDDEN = 30000, LEAST = 1000, PATIENCE = 8000; // ms
const CODES = { 404: 4404, 409: 4401 }; // of a socket's close, by the status of an answer

export class Looking extends EventTarget {
  CONNECTING = 0;
  OPEN = 1;
  CLOSED = 3;
  readyState = 0;

  // `look`: the address to look at; `url`: the socket's, for what it says of the page.
  constructor(look, url) {
    super();
    const asked = new URL(url, location.href).searchParams;
    for (const name of ["lang", "game"]) if (asked.has(name)) look.searchParams.set(name, asked.get(name));
    this.address = look;
    this.etag = "";
    this.plan(0);
  }

  plan(wait) {
    clearTimeout(this.timer);
    if (this.readyState !== this.CLOSED) this.timer = setTimeout(() => this.look(), wait);
  }

  async look() {
    if (this.left) return;
    this.left = new AbortController();
    this.began = performance.now();
    const wait = patience(PATIENCE);
    const end = setTimeout(() => {
      missed(wait);
      this.left.abort();
    }, wait);
    try {
      const headers = this.etag ? { "If-None-Match": this.etag } : {};
      const answer = await fetch(this.address, {
        headers,
        cache: "no-store",
        redirect: "error",
        signal: this.left.signal,
      });
      const text = answer.ok ? await answer.text() : "";
      answered(this.began);
      if (this.readyState === this.CLOSED) return;
      // Something else than the site answers without a tag, and is nothing for the page.
      const tag = answer.headers.get("ETag");
      if ((answer.ok || answer.status === 304) && tag) this.take(tag, answer.headers.get("X-Now"), text);
      else this.end(CODES[answer.status] ?? 1006);
    } catch {
      this.end(1006);
    } finally {
      clearTimeout(end);
      this.left = null;
    }
    this.plan((document.hidden ? HIDDEN : EVERY) * (0.85 + 0.3 * Math.random()));
  }

  take(tag, now, text) {
    this.etag = tag;
    if (this.readyState === this.CONNECTING) {
      this.readyState = this.OPEN;
      this.tell("open", new Event("open"));
    }
    if (text.trim()) this.tell("message", new MessageEvent("message", { data: text }));
    this.tell("message", new MessageEvent("message", { data: `<!-- now ${now} -->` })); // as a socket says it
  }

  tell(name, event) {
    this.dispatchEvent(event);
    this[`on${name}`]?.(event);
  }

  // Asked to answer, it looks at once, though not twice in a second.
  send() {
    if (!this.left) this.plan(Math.max(0, LEAST - (performance.now() - this.began)));
  }

  close() {
    this.readyState = this.CLOSED;
    clearTimeout(this.timer);
    this.left?.abort();
  }

  end(code) {
    if (this.readyState === this.CLOSED) return;
    this.close();
    this.tell("close", new CloseEvent("close", { code }));
  }
}
