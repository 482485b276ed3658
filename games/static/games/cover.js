// Covers what one holds, for people who sit in one room: seen while a finger rests on it, or while Space or
// Enter is held on its button. No module, and in the head: it is covered, and hints have their place, before
// the page is first painted.
{
  const root = document.documentElement; // data-cover: "on", "lifted" for now; none where nobody covers
  const NAME = "table-cover"; // as preferences.js would name it
  const HELD = 350; // ms: a longer press only looks and chooses nothing
  const READ = 5000; // ms: a screen reader presses without holding
  /** @type {HTMLElement} */
  const lifter = Object.assign(document.createElement("button"), { type: "button", id: "lift" });
  const isPress = ({ key }) => key === " " || key === "Enter";
  let hides = ""; // the selector of what is covered
  let pressed = 0; // when a finger came down, by performance.now()
  let looked = false; // it was a long press
  let key = -Infinity; // when a key was let go; Infinity while one is held
  let hadFocus = false; // the button, before a frame took it away with the old part of the seat
  let timer = 0;

  try {
    root.toggleAttribute(
      "data-hints",
      !localStorage.getItem(`table-advised-${document.currentScript.dataset.of}`),
    );
    if (localStorage.getItem(NAME) === "on") root.dataset.cover = "on";
  } catch {}

  const isHand = ({ target }) => root.dataset.cover && target.closest?.(`#lift, ${hides}`);
  // What can be chosen while it is covered has a number as its name.
  const name = () => {
    const isCovered = root.dataset.cover === "on";
    document.querySelectorAll(`:is(${hides}) input`).forEach((field, i) =>
      isCovered ? field.ariaLabel = `${i + 1}` : field.removeAttribute("aria-label")
    );
  };
  const lift = (is) => {
    clearTimeout(timer);
    if (root.dataset.cover) root.dataset.cover = is ? "lifted" : "on";
    name();
  };

  // The button lies over the hand.
  const place = () => {
    name();
    const hand = document.querySelector(hides);
    if (!hand || !root.dataset.cover) return lifter.remove();
    const own = hand.closest("#own");
    if (lifter.parentElement !== own) own.append(lifter);
    const { left, top, width, height } = hand.getBoundingClientRect();
    const { offsetParent: around } = lifter, from = around.getBoundingClientRect();
    const at = [left - from.left - around.clientLeft, top - from.top - around.clientTop, width, height];
    ["left", "top", "width", "height"].forEach((name, i) => lifter.style[name] = `${at[i]}px`);
    if (hadFocus) lifter.focus({ preventScroll: true });
    hadFocus = false;
  };

  const click = (event) => {
    if (!isHand(event)) return;
    if (looked) event.preventDefault();
    // By a finger or a key the cover was lifted as long as that was held.
    if (event.target !== lifter || event.detail || performance.now() - key < 100) return;
    lift(true);
    timer = setTimeout(lift, READ, false);
  };

  const begin = () => {
    const button = document.getElementById("cover");
    hides = button.dataset.hides;
    lifter.ariaLabel = button.dataset.lift;
    button.disabled = false;
    button.ariaPressed = `${Boolean(root.dataset.cover)}`;
    button.addEventListener("click", () => {
      if (root.dataset.cover) delete root.dataset.cover;
      else root.dataset.cover = "on";
      button.ariaPressed = `${Boolean(root.dataset.cover)}`;
      try {
        localStorage.setItem(NAME, root.dataset.cover ?? "off");
      } catch {}
      place();
    });

    addEventListener("pointerdown", (event) => {
      looked = false;
      if (!isHand(event)) return;
      pressed = performance.now();
      lift(true);
    });
    const release = () => {
      looked = root.dataset.cover === "lifted" && performance.now() - pressed > HELD;
      lift(false);
    };
    for (const end of ["pointerup", "pointercancel", "blur", "pagehide"]) addEventListener(end, release);
    addEventListener("keydown", (event) => {
      looked = false;
      if (event.target !== lifter || !isPress(event)) return;
      key = Infinity;
      lift(true);
    });
    addEventListener("keyup", (event) => {
      if (!isPress(event) || key !== Infinity) return;
      key = performance.now();
      lift(false);
    });
    addEventListener("click", click, true);
    addEventListener("contextmenu", (event) => isHand(event) && event.preventDefault());

    document.body.addEventListener(
      "htmx:oobBeforeSwap",
      () => hadFocus ||= document.activeElement === lifter,
    );
    for (const moved of ["site:swapped", "site:told"]) document.addEventListener(moved, place);
    for (const moved of ["resize", "load"]) addEventListener(moved, place);
    place();
  };
  document.addEventListener("DOMContentLoaded", begin);
}
