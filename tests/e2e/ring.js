// What people at a table cover of each other: faces, names, cups, what they hold, what they say.
// Returns who covers whom: by how many pixels, or how many per cent of the circle of a face.
(() => {
  const KINDS = {
    face: ".seat > .avatar",
    name: ".seat-name",
    cup: ".seat > .cup",
    held: ".seat .die, .seat .held, .seat .seat-hand",
    left: ".seat-state .tally, .buffet",
    flag: ".seat-flag",
    change: ".seat-change",
    bubble: ".bubble",
    bid: ".seat-bid, .said-by",
  };
  const MOST = { percent: 4, pixels: 2 }; // a badge is round, its box has corners
  const seen = (e) =>
    e.getClientRects().length && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const pieces = Object.entries(KINDS).flatMap(([kind, selector]) =>
    [...document.querySelectorAll(selector)].filter(seen).map((e) => {
      const seat = e.closest(".seat")?.dataset.seat ?? "";
      return { kind, e, is: `${kind} ${seat}`, seat, box: e.getBoundingClientRect() };
    })
  ).filter(({ box }) => box.width && box.height);

  const length = (a, b, from, to) => Math.max(0, Math.min(a[to], b[to]) - Math.max(a[from], b[from]));
  const depth = (a, b) => Math.min(length(a, b, "left", "right"), length(a, b, "top", "bottom"));
  const ofCircle = (circle, box) => {
    const radius = circle.width / 2, x = circle.left + radius, y = circle.top + radius;
    let all = 0, hit = 0;
    for (let i = -radius; i <= radius; i++) {
      for (let j = -radius; j <= radius; j++) {
        if (i * i + j * j > radius * radius) continue;
        all++;
        if (x + i > box.left && x + i < box.right && y + j > box.top && y + j < box.bottom) hit++;
      }
    }
    return 100 * hit / all;
  };

  const covered = [];
  pieces.forEach((one, i) => {
    for (const other of pieces.slice(i + 1)) {
      if (one.e.contains(other.e) || other.e.contains(one.e)) continue;
      const together = `${one.kind} ${other.kind}`; // at one seat: a hand, a cup with its label
      if (one.seat === other.seat && /^(held held|cup flag)$/.test(together)) continue;
      const round = one.kind === "face" && other.kind !== "face";
      const deep = depth(one.box, other.box), part = round && deep ? ofCircle(one.box, other.box) : 0;
      if (round ? part > MOST.percent : deep > MOST.pixels)
        covered.push(`${one.is}, ${other.is}: ${round ? `${Math.round(part)} %` : `${deep} px`}`);
    }
  });
  return covered;
});
