// The sounds of every table, made here of noise and tones: no file is loaded. They are off until the
// button is pressed, which also fetches this module, and none sounds before a hand has touched
// the page. What is heard when is the game's. A device that can vibrate does so with some of them.

import { prefer, preference } from "./preferences.js";

const volume = document.getElementById("volume");
const button = document.getElementById("sound");

let on = false;
let audio = null; // the first gesture makes it
let out, hiss;

function wake() {
  if (!on) return;
  if (!audio) {
    audio = new AudioContext();
    out = new GainNode(audio, { gain: loudness() });
    out.connect(audio.destination);
    hiss = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate });
    hiss.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1));
  }
  audio.resume();
}

// Loudness is heard in proportion to the square of the slider. At 0 the device only vibrates.
const loudness = () => 0.8 * (volume.control.value / 10) ** 2;

// ---- what all sounds are made of: in how many seconds, from pitch to pitch (Hz), how long, how loud

function play(source, pitch, through, [at, from, to, length, loud]) {
  const start = audio.currentTime + at;
  const level = new GainNode(audio);
  pitch.setValueAtTime(from, start);
  pitch.exponentialRampToValueAtTime(to, start + length);
  level.gain.setValueAtTime(loud, start);
  level.gain.exponentialRampToValueAtTime(0.001, start + length);
  through.connect(level).connect(out);
  source.start(start);
  source.stop(start + length);
}

function tone(...how) {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: how[1] });
  play(source, source.frequency, source, how);
}

function noise(...how) {
  const source = new AudioBufferSourceNode(audio, { buffer: hiss, loop: true });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", Q: 1.5 });
  source.connect(filter);
  play(source, filter.frequency, filter, how);
}

function thud(at, pitch, loud) {
  tone(at, pitch, pitch / 2, 0.14, loud);
  noise(at, pitch * 3, pitch * 3, 0.05, loud / 2);
}

const tune = (at, apart, ...pitches) =>
  pitches.forEach((pitch, i) => tone(at + i * apart, pitch, pitch, 0.3, 0.4));

// ---- what is new on the page, and how it sounds: both are the game's

// The game's module exports sounds(instruments), the sounds by name, touch, vibrations in ms by name,
// look(), what the page shows now, news(before, now), the names of what is new between two looks, and
// moves(animation, element), the names of an animation that begins there.
export function listen(game) {
  const sounds = game.sounds({ tone, noise, thud, tune });
  let last = game.look();
  const say = (name) => {
    if (!on) return;
    if (audio?.state === "running") sounds[name]?.();
    if (game.touch[name]) navigator.vibrate?.(game.touch[name]);
  };
  document.addEventListener("animationstart", ({ animationName, target }) => {
    for (const name of game.moves?.(animationName, target) ?? []) say(name);
  });
  document.addEventListener("site:swapped", () => {
    const before = last;
    last = game.look();
    for (const name of game.news(before, last)) say(name);
  });
}

// ---- the button, and what it was left at

function set(to) {
  on = to;
  button.setAttribute("aria-pressed", on);
  volume.hidden = !on;
  if (!on) audio?.suspend();
}

export function press() {
  set(!on);
  wake();
  if (on) thud(0, 200, 0.7); // that is how it sounds
  prefer("sound", on ? "on" : "off");
}

volume.addEventListener("input", () => {
  if (audio) out.gain.value = loudness();
  prefer("volume", volume.control.value);
});
volume.addEventListener("change", () => audio && thud(0, 200, 0.7));

// A browser that keeps nothing starts silent on every page.
volume.control.value = preference("volume") ?? volume.control.value;
set(preference("sound") === "on");
button.addEventListener("click", press);
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, wake);
