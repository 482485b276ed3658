// What a player really sees of a table, measured by boxes. Returns the faults, in words.
//   needed: selectors of what must be wholly visible at the top of the page (scrolls: once scrolled to)
//   scrolls: vertical scrolling is allowed, and then no name may be shortened either
//   chat: whether the chat is opened or folded before; null leaves it as it is
//   moving: in the middle of an animation only what is needed is looked at
(({ needed, scrolls, moving, chat }) => {
  const panel = document.getElementById("talk-panel"); // a table's
  if (panel && chat !== null) panel.open = chat;
  // What has just come takes no press, and would not be found under it (own.css).
  for (const each of document.getAnimations()) if (each.animationName === "takes-no-press") each.finish();
  const root = document.documentElement;
  const faults = [];
  const px = Math.round;
  const say = (e) => {
    const words = (e.textContent || "").trim().replace(/\s+/g, " ").slice(0, 30);
    return `${e.tagName.toLowerCase()}.${(e.className.baseVal ?? e.className) || e.id}${
      words ? ` “${words}”` : ""
    }`;
  };
  const at = (r) => `${px(r.left)},${px(r.top)} ${px(r.width)}×${px(r.height)}`;
  const clipped = (e) => e && (getComputedStyle(e).clipPath === "inset(50%)" || clipped(e.parentElement));
  const hidden = (e) =>
    !e.getClientRects().length || !e.checkVisibility() || e.closest(".visually-hidden, [hidden]") ||
    getComputedStyle(e).visibility !== "visible" || clipped(e);
  const cutByDots = (e) => {
    for (; e && getComputedStyle(e).display !== "block"; e = e.parentElement)
      if (getComputedStyle(e).textOverflow === "ellipsis") return e;
    return e && getComputedStyle(e).textOverflow === "ellipsis" ? e : null;
  };
  const opacity = (e) => {
    let o = 1;
    for (; e; e = e.parentElement) o *= Number(getComputedStyle(e).opacity);
    return o;
  };
  const overlap = (a, b) =>
    Math.min(
      Math.min(a.right, b.right) - Math.max(a.left, b.left),
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
    );

  scrollTo(0, 0);
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter((e) =>
      !hidden(e) && e.getBoundingClientRect().right > root.clientWidth + .5
    );
    faults.push(
      `the page is ${root.scrollWidth} px wide on a screen of ${root.clientWidth}: ${
        wide.map(say).join(", ")
      }`,
    );
  }

  // While cups are up the sentences beside the dice say the whole names.
  const mayShorten = !scrolls || document.querySelector(".reveal");
  const own = document.querySelector("#own");
  if (own && scrolls) own.style.position = "static"; // what sticks to an edge lies over what scrolls

  // --- every visible piece: lines of text, dice, and what has an edge of its own
  const pieces = [];
  const replay = document.querySelector("#replay .board") && ".ribbon, .board, .steps";
  const whole = panel ? "#table, #move-form, .talk-link" : replay || "main > *";
  const parts = moving ? [] : [...document.querySelectorAll(`.head, #search, ${whole}`)];
  for (const part of parts) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const owner = node.parentElement;
      if (!node.nodeValue.trim() || hidden(owner) || owner.closest(".bubble")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { fontSize } = getComputedStyle(owner);
      const shortened = mayShorten && owner.closest(".seat-name *");
      const name = (shortened || cutByDots(owner))?.getBoundingClientRect();
      for (const { left, right: end, top, bottom } of range.getClientRects()) {
        const right = name ? Math.min(end, name.right) : end;
        const width = right - left;
        if (width <= 0) continue;
        // The letters themselves, without the air a font has above and below them.
        const middle = (top + bottom) / 2, half = Math.min(bottom - top, parseFloat(fontSize) * .8) / 2;
        pieces.push({
          owner,
          text: true,
          box: { left, right, top: middle - half, bottom: middle + half, width, height: 2 * half },
        });
      }
    }
    for (
      const owner of part.querySelectorAll(
        ".die, .held, :is(.discard, .stake, .shown-hand) > svg, button, .face, input[type=number], .seat-change, .seat-flag, .seat-bid, .hints, .clock progress",
      )
    ) {
      if (!hidden(owner)) pieces.push({ owner, box: owner.getBoundingClientRect() });
    }
  }

  // --- nothing lies over anything else, and nothing is cut off
  const apart = (a, b) => !a.owner.contains(b.owner) && !b.owner.contains(a.owner);
  pieces.forEach((one, i) => {
    for (const other of pieces.slice(i + 1)) {
      if (apart(one, other) && overlap(one.box, other.box) > 1.5)
        faults.push(
          `${say(one.owner)} at ${at(one.box)} and ${say(other.owner)} at ${at(other.box)} overlap`,
        );
    }
  });
  const seats = moving ? [] : [...document.querySelectorAll(".seat")];
  seats.forEach((one, i) => {
    for (const other of seats.slice(i + 1))
      if (overlap(one.getBoundingClientRect(), other.getBoundingClientRect()) > 1)
        faults.push(`${say(one)} and ${say(other)} overlap`);
  });
  for (const { owner, box, text } of pieces) {
    for (let e = text ? owner : owner.parentElement; e && e !== document.body; e = e.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(e);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const edge = e.getBoundingClientRect();
      const across = overflowX !== "visible" && (box.left < edge.left - 1 || box.right > edge.right + 1);
      const along = !/auto|scroll|visible/.test(overflowY) &&
        (box.top < edge.top - 1 || box.bottom > edge.bottom + 1);
      if (across || along) faults.push(`${say(owner)} at ${at(box)} is cut off by ${say(e)} at ${at(edge)}`);
    }
    if (box.left < -.5 || box.right > root.clientWidth + .5)
      faults.push(`${say(owner)} at ${at(box)} sticks out of the screen`);
  }

  // --- a badge belongs to one seat
  for (const badge of document.querySelectorAll(".seat-change, .seat-flag")) {
    if (moving || hidden(badge)) continue;
    const box = badge.getBoundingClientRect(), mine = badge.closest(".seat");
    const seat = mine.getBoundingClientRect();
    const inside = Math.min(box.right, seat.right) - Math.max(box.left, seat.left);
    if (inside < box.width - 16 || overlap(box, seat) < 4)
      faults.push(`${say(badge)} at ${at(box)} hangs loose from its seat at ${at(seat)}`);
    for (const other of seats)
      if (other !== mine && overlap(box, other.getBoundingClientRect()) > 0)
        faults.push(`${say(badge)} at ${at(box)} lies over ${say(other)}`);
  }

  if (own) own.style.position = "";

  function unseen(e, block) {
    if (block) {
      if (own) own.style.position = "static"; // what sticks is scrolled to where it stands
      e.scrollIntoView({ block, behavior: "instant" });
      if (own) own.style.position = "";
    }
    const box = e.getBoundingClientRect();
    const tall = scrolls && box.height > innerHeight;
    if (
      box.left < -.5 || box.right > root.clientWidth + .5 ||
      (!tall && (box.top < -.5 || box.bottom > innerHeight + .5))
    ) {
      return `${say(e)} at ${at(box)} is not on the screen of ${root.clientWidth}×${innerHeight}`;
    }
    if (opacity(e) < .99 && !e.closest(":disabled, .is-away, .dim"))
      return `${say(e)} is pale: ${opacity(e)}`;
    for (const [x, y] of tall ? [[.5, .5]] : [[.5, .5], [.15, .2], [.85, .2], [.15, .8], [.85, .8]]) {
      const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      if (!top || !(e.contains(top) || top.contains(e)))
        return `${top ? say(top) : "nothing"} lies over ${say(e)} at ${at(box)}`;
    }
    return "";
  }

  // --- what is needed now is there, wholly on the screen, with nothing over it
  for (const selector of needed) {
    const found = [...document.querySelectorAll(selector)].filter((e) => !hidden(e));
    if (!found.length) faults.push(`${selector} is not on the page`);
    for (const e of found) {
      // Where one can scroll to, one place is enough.
      const told = (scrolls ? ["center", "start", "end"] : [""]).map((block) => unseen(e, block));
      if (!told.includes("")) faults.push(told[0]);
    }
  }
  scrollTo(0, 0);
  return faults;
});
