// The next meeting hour (_meeting.html) in the reader's time zone, and how long it is until then.

import { serverNow } from "../site/clock.js";

const { lang } = document.documentElement;
const region = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;
const SOON = 18 * 3_600_000;
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "numeric", minute: "2-digit" };

function left(meeting, ms) {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  const form = days ? "days" : hours ? "hours" : "minutes";
  const values = { days, hours, minutes: days || hours ? minutes % 60 : minutes };
  return meeting.dataset[form].replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}

function show() {
  for (const meeting of document.querySelectorAll("[data-meets]")) {
    const at = Number(meeting.dataset.meets);
    const ms = at - serverNow();
    const [on, next] = ["on", "next"].map((part) => meeting.querySelector(`.meeting-${part}`));
    on.hidden = ms > 0;
    next.hidden = ms <= 0;
    /** @type {Intl.DateTimeFormatOptions} */
    const form = ms < SOON ? CLOCK : { weekday: "long", ...CLOCK };
    meeting.querySelector("time").textContent = new Intl.DateTimeFormat(region, form).format(at);
    meeting.querySelector(".meeting-zone").hidden = true;
    meeting.querySelector(".meeting-left").textContent = left(meeting, ms);
  }
}

show();
setInterval(show, 10_000);
document.addEventListener("site:swapped", show);
