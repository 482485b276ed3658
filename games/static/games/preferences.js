// What a person chose on this device: sounds, keys, hints, notifications. Kept by the browser, if it keeps
// anything; read as null where it does not.

// Names from before carry the first game's. They are carried over once, and stay for pages that an older
// process of the site still sends during an upgrade.
const before = (name) => `perudo-${name}`;
const now = (name) => `table-${name}`;

export function preference(name) {
  try {
    const kept = localStorage.getItem(now(name));
    if (kept !== null) return kept;
    const old = localStorage.getItem(before(name));
    if (old !== null) localStorage.setItem(now(name), old);
    return old;
  } catch {
    return null;
  }
}

export function prefer(name, value) {
  try {
    localStorage.setItem(now(name), value);
  } catch {}
}
