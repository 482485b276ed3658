// The table's sounds, made here of noise and tones: no file is loaded. They are off until the
// button is pressed, which also fetches this module, and none sounds before a hand has touched
// the page. What is heard follows from what the swapped #table and #own show.

const KEY = "perudo-sound";
const button = document.getElementById("sound");
const calm = matchMedia("(prefers-reduced-motion: reduce)"); // who wants less motion hears less too
const $ = (selector) => document.querySelector(selector);

let on = false;
let audio = null; // the first gesture makes it
let out, hiss;

function wake() {
  if (!on) return;
  if (!audio) {
    audio = new AudioContext();
    out = new GainNode(audio, { gain: 0.3 });
    out.connect(audio.destination);
    hiss = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate });
    hiss.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1));
  }
  audio.resume();
}

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

const tune = (at, apart, ...pitches) => pitches.forEach((pitch, i) => tone(at + i * apart, pitch, pitch, 0.3, 0.4));
const grain = (i) => noise(i * 0.06 + Math.random() * 0.03, 1500 + Math.random() * 2000, 2500, 0.05, 0.5);

const sounds = {
  shake: () => [...Array(10).keys()].forEach(grain),
  bid: () => thud(0, 200, 0.7),
  knock: () => [0, 0.18].forEach((at) => thud(at, 130, 1)),
  lift: () => noise(0.45, 400, 2600, 0.4, 0.3),
  lost: () => tune(1, 0.18, 330, 247),
  gained: () => tune(1, 0.12, 392, 523, 659),
  turn: () => tune(0.25, 0.13, 659, 880),
};

// ---- what the page shows, and what is new in it

function look() {
  const { phase = "" } = $("#table").dataset;
  const said = $("#table [data-fresh]")?.dataset.fresh ?? ""; // the bid or reveal in the middle
  return { phase, said, turn: $("#own.is-turn") ? `after ${said}` : "", up: $("#table [data-reveal]") };
}

function* news(before, now) {
  if (!document.hidden) {
    if (now.up) {
      if (before.up) return;
      yield "knock";
      if (!calm.matches) yield "lift";
      if ($(".seat-change.is-loss")) yield "lost";
      if ($(".seat-change.is-gain")) yield "gained";
    } else if (now.said && now.said !== before.said) yield "bid";
    else if (now.phase === "turn" && !now.said && (before.said || !before.phase) && !calm.matches) yield "shake";
  }
  if (now.turn && now.turn !== before.turn) yield "turn";
}

let last = look();
document.addEventListener("site:swapped", () => {
  const before = last;
  last = look();
  if (on && audio?.state === "running") for (const name of news(before, last)) sounds[name]();
});

// ---- the button, and what it was left at

function set(to) {
  on = to;
  button.setAttribute("aria-pressed", on);
  if (!on) audio?.suspend();
}

export function press() {
  set(!on);
  wake();
  if (on) sounds.bid();
  try { localStorage.setItem(KEY, on ? "on" : "off"); } catch {}
}

// A browser that keeps nothing starts silent on every page.
try { set(localStorage.getItem(KEY) === "on"); } catch {}
button.addEventListener("click", press);
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, wake);
