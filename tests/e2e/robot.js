// What a finger finds on a page. For robot.py, which puts these functions into one of its own.
((what, element) => {
  const root = document.documentElement;
  const say = (element) => element ? element.outerHTML.slice(0, 90) : "nothing";

  // The middle of what is seen of an element, or why it cannot be tapped.
  function tappable(element) {
    const boxes = [...element.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (!boxes.length) return "is not drawn";
    const { left, top, right, bottom } = boxes[0];
    if (left < -1 || right > root.clientWidth + 1)
      return `sticks out: ${left} to ${right} of ${root.clientWidth}`;
    if (top < -1 || bottom > innerHeight + 1) return `is at ${top} to ${bottom} of ${innerHeight}`;
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflow === "visible") continue;
      const edge = box.getBoundingClientRect();
      const isCut = left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 ||
        bottom > edge.bottom + 1;
      if (isCut) return `is cut off by ${say(box)}`;
    }
    const hides = element.matches("a, button") && getComputedStyle(element).overflow !== "visible";
    if (hides && element.scrollWidth > element.clientWidth + 1) return "its words are cut off";
    for (const share of [.5, .15, .85]) {
      const over = document.elementFromPoint(left + (right - left) * share, (top + bottom) / 2);
      const isIts = over &&
        (element.contains(over) || element.control?.contains(over) ||
          over.closest("label")?.control === element);
      if (!isIts) return `lies under ${say(over)}`;
    }
    return [(left + right) / 2, (top + bottom) / 2];
  }

  // The notices that something lies over, or that are off the screen while they should stand on it.
  function hiddenNotices() {
    const all = document.querySelectorAll("#notice > *, #messages > *, #banner:not(:empty)");
    const said = [...all].filter((each) => each.checkVisibility() && each.textContent.trim());
    const isHidden = (each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      if (top + height < 0 || top > innerHeight)
        return getComputedStyle(each.parentElement).position === "fixed";
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      return !each.contains(over) && !over?.closest(":popover-open"); // a menu was opened over it on purpose
    };
    return said.filter(isHidden).map((each) => each.textContent.trim());
  }

  // An animation that changes nothing one sees may end without its `finished` being resolved.
  async function settled() {
    const last = performance.now() + 5000;
    const begun = document.getAnimations().filter(({ animationName }) => animationName === "takes-no-press");
    while (performance.now() < last && begun.some(({ playState }) => playState === "running")) {
      await new Promise((go) => setTimeout(go, 20));
    }
  }

  return { tappable, hiddenNotices, settled }[what](element);
});
