// What this browser adds to the draws of a table: a random salt, of which the site gets the hash while the
// table is open, and the salt itself once the root is public (games/core/proof.py). What is stored here
// is compared when the game is over (draws.js).

import { hash, hex, noted } from "./draws.js";

const MOST = 100; // tables that are remembered
/** @type {Find} */
const $ = (selector) => document.querySelector(selector);
const move = $("#move-form").getAttribute("action"); // the address of moves
const code = move.split("/").at(-2);
let reacted = ""; // to this seal, or to this root
let isOpened = false; // the site has taken the salt

/** Whether it could be stored. */
function note(mine) {
  try {
    const all = Object.entries({ ...noted(), [code]: mine });
    localStorage.setItem("draws", JSON.stringify(Object.fromEntries(all.slice(-MOST))));
    return true;
  } catch {
    return false;
  }
}

/** Whether the site has taken it: a refusal comes with words. */
async function send(name, value) {
  const token = $("[name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, [name]: value });
  const address = move.replace(/move$/, name);
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { "HX-Request": "true" } });
    return answer.ok && !await answer.text();
  } catch {
    return false; // the game begins without it
  }
}

async function react() {
  const { seal, root, part, late } = $("#own").dataset;
  if (!seal || reacted === (root || seal)) return;
  reacted = root || seal;
  const mine = noted()[code];
  const isMine = mine?.seal === seal;
  if (late) {
    note({ seal, root });
    if (isOpened) complain(late);
    isOpened = false;
  } else if (!root && !part) {
    const salt = isMine ? mine.salt : hex(crypto.getRandomValues(new Uint8Array(32)));
    if (!note({ seal, salt })) return; // nobody could check it later
    await send("part", hash("part", code, salt));
  } else if (root && isMine && part === hash("part", code, mine.salt)) {
    note({ ...mine, root });
    isOpened = await send("salt", mine.salt);
  }
}

function complain(words) {
  const notice = document.createElement("p");
  notice.className = "notice error";
  notice.textContent = words;
  $("#notice").replaceChildren(notice);
}

react();
document.addEventListener("site:swapped", react);
