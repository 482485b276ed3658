// The sounds of every table. They are off until the button is pressed, which also fetches this module
// and the files that the button names (data-sounds), and none sounds before a hand has touched the
// page. What is heard when is the game's. A device that can vibrate does so with some of them.

import { prefer, preference } from "./preferences.js";

const volume = document.getElementById("volume");
const button = document.getElementById("sound");

let on = false;
let audio = null; // the first gesture makes it
let out;

function wake() {
  if (!on) return;
  if (!audio) {
    audio = new AudioContext();
    out = new GainNode(audio, { gain: loudness() });
    out.connect(audio.destination);
  }
  audio.resume();
}

// Loudness is heard in proportion to the square of the slider. At 0 the device only vibrates.
const loudness = () => 0.8 * (volume.control.valueAsNumber / 10) ** 2;

// ---- the files, by their names without folder, hash and ending: made by tools/sounds.py

const clips = new Map();
let loading = null;

// Decoded at once: an offline context needs no gesture. What did not arrive is asked for again when the
// sound is next switched on.
function load() {
  loading ??= Promise.all(button.dataset.sounds.trim().split(/\s+/).map(fetchClip)).catch(() => {
    loading = null;
  });
}

async function fetchClip(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const decoder = new OfflineAudioContext(1, 1, 44_100);
  const name = address.split("/").at(-1).split(".")[0];
  clips.set(name, await decoder.decodeAudioData(await answer.arrayBuffer()));
}

// ---- what all sounds are made of: which file, in how many seconds, how many semitones higher, how loud

function strike(name, at = 0, pitch = 0, loud = 1) {
  const buffer = clips.get(name);
  if (!buffer) return;
  const source = new AudioBufferSourceNode(audio, { buffer, playbackRate: 2 ** (pitch / 12) });
  source.connect(new GainNode(audio, { gain: loud })).connect(out);
  source.start(audio.currentTime + at);
}

const tune = (name, at, apart, loud, ...pitches) =>
  pitches.forEach((pitch, i) => strike(name, at + i * apart, pitch, loud));

// ---- what is new on the page, and how it sounds: both are the game's

const SAME = 25; // ms: the same sound is heard once in this time, such as when a page comes into view
const LATE = 0.1; // s: an animation that is further on was heard before a swap
let sample = () => {};

// The game's module exports sounds(instruments), the sounds by name, among them `sample`; touch,
// vibrations in ms by name; look(), what the page shows now; and three generators of what is heard:
// news(before, now), what is new between two looks, moves(animation, element), what an animation that
// begins there shows, and told(), what is left when a moment has been shown or was skipped. Each is a
// name or [name, in how many seconds, ...further arguments of the sound].
export function listen(game) {
  const sounds = game.sounds({ strike, tune });
  const said = {}; // when each was, by performance.now()
  let last = game.look();
  sample = sounds.sample;
  const say = (what) => {
    const [name, at = 0, ...how] = [what].flat();
    const now = performance.now();
    if (!on || now - said[name] < SAME) return;
    said[name] = now;
    if (audio?.state === "running") sounds[name]?.(at, ...how);
    if (game.touch[name]) setTimeout(() => navigator.vibrate?.(game.touch[name]), 1000 * at);
  };
  document.addEventListener("animationstart", ({ animationName, target, elapsedTime }) => {
    if (elapsedTime >= LATE) return;
    for (const what of game.moves(animationName, target)) say(what);
  });
  document.addEventListener("site:swapped", () => {
    const before = last;
    last = game.look();
    for (const what of game.news(before, last)) say(what);
  });
  document.addEventListener("site:told", () => {
    for (const what of game.told()) say(what);
  });
}

// ---- the button, and what it was left at

function set(to) {
  on = to;
  button.setAttribute("aria-pressed", on);
  volume.hidden = !on;
  if (on) load();
  else audio?.suspend();
}

export async function press() {
  set(!on);
  wake();
  prefer("sound", on ? "on" : "off");
  await loading;
  if (on) sample(); // that is how it sounds
}

volume.addEventListener("input", () => {
  if (audio) out.gain.value = loudness();
  prefer("volume", volume.control.value);
});
volume.addEventListener("change", () => audio && sample());

// A browser that keeps nothing starts silent on every page.
volume.control.value = preference("volume") ?? volume.control.value;
set(preference("sound") === "on");
button.addEventListener("click", press);
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, wake);
