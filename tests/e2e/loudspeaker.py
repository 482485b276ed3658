"""What a page plays and how a device vibrates, as a script that listens there before it loads."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

# Which real contexts there are, each file that is started, and each vibration. A file is known by
# its bytes, then by what was decoded from them.
LISTEN = """
window.contexts = [];
window.started = [];
window.decoded = 0;
window.buzzed = [];
navigator.vibrate = (pattern) => { buzzed.push(pattern); return true; };
window.AudioContext = class extends AudioContext {
  constructor(...options) { super(...options); contexts.push(this); }
};
const names = new WeakMap();
const { arrayBuffer } = Response.prototype;
Response.prototype.arrayBuffer = async function () {
  const bytes = await arrayBuffer.call(this);
  names.set(bytes, new URL(this.url).pathname.split("/").at(-1).split(".")[0]);
  return bytes;
};
const { decodeAudioData } = BaseAudioContext.prototype;
BaseAudioContext.prototype.decodeAudioData = async function (bytes) {
  const name = names.get(bytes);
  const decoded = await decodeAudioData.call(this, bytes);
  names.set(decoded, name);
  window.decoded += 1;
  return decoded;
};
const { start } = AudioBufferSourceNode.prototype;
AudioBufferSourceNode.prototype.start = function (when) {
  const pitch = Math.round(1200 * Math.log2(this.playbackRate.value)) / 100;
  const at = performance.now() + 1000 * (when - this.context.currentTime);
  started.push([names.get(this.buffer), pitch, at]);
  return start.call(this, when);
};
"""


@dataclass(frozen=True)
class Hit:
    """A file that was played, so many semitones higher than it is, at this ms of the page."""

    name: str
    pitch: float
    at: float


def heard(page: Page) -> list[Hit]:
    """What was played since the last time, in the order in which it is heard."""
    hits = [Hit(*each) for each in page.evaluate("started.splice(0)")]
    return sorted(hits, key=lambda hit: hit.at)


def pitches(hits: list[Hit], name: str) -> list[float]:
    return [hit.pitch for hit in hits if hit.name == name]


def is_running(page: Page) -> bool:
    running: bool = page.evaluate("contexts[0]?.state === 'running'")
    return running


def visit_with_sound(page: Page, address: str) -> None:
    """Open a table and switch its sound on; what that plays is taken as heard."""
    page.add_init_script(LISTEN)
    page.goto(address)
    page.get_by_role("button", name="Sound").click()
    while not is_running(page) or not heard(page):
        page.wait_for_timeout(50)
