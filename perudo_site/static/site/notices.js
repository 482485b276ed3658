// Puts a notice away once it can have been read. It stays while the mouse or the focus is on it, and
// for as long as it offers a way on; a press or Escape puts it away at once.

const place = document.getElementById("notice");
const LEAST = 6000, PER_LETTER = 90; // ms: slow readers read some eleven letters a second
let timer = 0;

function read() {
  clearTimeout(timer);
  const stays = !place.textContent.trim() || place.querySelector("a, button") ||
    place.matches(":hover, :focus-within");
  if (!stays)
    timer = setTimeout(() => place.replaceChildren(), LEAST + PER_LETTER * place.textContent.length);
}

new MutationObserver(read).observe(place, { childList: true });
for (const each of ["mouseenter", "mouseleave", "focusin", "focusout"]) place.addEventListener(each, read);
place.addEventListener("click", ({ target }) => target.closest("a, button") || place.replaceChildren());
addEventListener("keydown", ({ key }) => key === "Escape" && place.replaceChildren());

// With the keyboard of a phone open, what is fixed to the page may lie above what is seen of it.
const seen = window.visualViewport;
const follow = () => (place.parentElement.style.translate = `0 ${Math.max(0, seen.offsetTop)}px`);
for (const each of ["resize", "scroll"]) seen?.addEventListener(each, follow);
