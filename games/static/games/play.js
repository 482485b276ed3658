// Remembers on this device which game somebody wants to play with people.

import { prefer, preference } from "./preferences.js";

const form = document.querySelector(".play-people");
const chosen = [...(form?.querySelectorAll("[name=game]") ?? [])].find(
  ({ value }) => value === preference("play-game"),
);
if (chosen) chosen.checked = true;
form?.addEventListener("change", ({ target }) => target.name === "game" && prefer("play-game", target.value));
