// Every word that is on the screen: its colour as red, green, blue from 0 to 255, where it stands.
// After `hide` the words are not drawn; what lies under them, their shadows too, stays.
({
  words() {
    const paper = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgb = (colour) => {
      paper.clearRect(0, 0, 1, 1);
      paper.fillStyle = colour;
      paper.fillRect(0, 0, 1, 1);
      return [...paper.getImageData(0, 0, 1, 1).data].map((part, at) => at < 3 ? part : part / 255);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const owner = node.parentElement;
      if (
        !node.nodeValue.trim() ||
        owner.closest(".visually-hidden, [hidden], :disabled, svg, option, noscript")
      ) continue;
      if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      let alpha = 1;
      for (let e = owner; e; e = e.parentElement) alpha *= Number(getComputedStyle(e).opacity);
      const { color, webkitTextFillColor } = getComputedStyle(owner);
      const [r, g, b, a] = rgb(webkitTextFillColor || color);
      const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }; // what nothing cuts off
      for (let e = owner; e; e = e.parentElement) {
        const { overflowX } = getComputedStyle(e);
        if (overflowX === "visible" || e === document.body) continue;
        const edge = e.getBoundingClientRect();
        seen.left = Math.max(seen.left, edge.left), seen.right = Math.min(seen.right, edge.right);
        seen.top = Math.max(seen.top, edge.top), seen.bottom = Math.min(seen.bottom, edge.bottom);
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        // The letters, without the air that a font has above and below them.
        const middle = (line.top + line.bottom) / 2;
        const half = Math.min(line.height, parseFloat(getComputedStyle(owner).fontSize) * .8) / 2;
        const x = Math.max(seen.left, line.left), y = Math.max(seen.top, middle - half);
        const width = Math.min(seen.right, line.right) - x;
        const height = Math.min(seen.bottom, middle + half) - y;
        if (width < 2 || height < 2) continue;
        const over = document.elementFromPoint(x + width / 2, y + height / 2);
        if (!over || !(over === owner || over.contains(owner) || owner.contains(over))) continue;
        const said = node.nodeValue.trim().replace(/\s+/g, " ").slice(0, 40);
        found.push({
          said,
          of: owner.className || owner.tagName,
          colour: [r, g, b],
          alpha: a * alpha,
          x,
          y,
          width,
          height,
        });
      }
    }
    return found;
  },
  hide() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "*, ::before, ::after { -webkit-text-fill-color: transparent !important; transition: none !important }",
    );
    document.adoptedStyleSheets = [sheet];
  },
  show() {
    document.adoptedStyleSheets = [];
  },
});
