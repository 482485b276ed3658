// Keeps the screen on while a game runs on a page that is in sight; a phone would sleep during others'
// turns. A big screen also while people come. Browsers let go of it by themselves when the page is hidden, and where there is no battery left.

let lock = null;

const runs = () =>
  document.querySelector("#table[data-phase]:not([data-phase=over]), .big-screen .room[data-seq]");

async function look() {
  if (!runs()) {
    lock?.release();
    lock = null;
  } else if (!document.hidden && (!lock || lock.released)) {
    lock = {
      released: false,
      release() {
        this.released = true;
      },
    }; // asked once at a time
    const asked = lock;
    const given = await navigator.wakeLock.request("screen").catch(() => null);
    if (asked.released) given?.release(); // the game has ended meanwhile
    lock = asked === lock ? given : lock;
  }
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", look);
  document.addEventListener("site:swapped", look);
  addEventListener("pagehide", () => lock?.release());
  look();
}
