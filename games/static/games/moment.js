// What the page of a table shows of a moment, for the sounds of every game.

/** @type {Find} */
const $ = (selector) => document.querySelector(selector);

// The page still shows it: its own animations say when each part is heard.
export const isPlaying = () => "suspense" in document.documentElement.dataset;

// The reader's seat on the board; none for who watches.
export const mySeat = () => $(`#table .seat[data-seat="${$("[data-me]")?.dataset.me}"]`);

// How a game sounds that has ended, to the reader.
export const ending = () => ($("#own .ended.is-won") ? "victory" : "over");
