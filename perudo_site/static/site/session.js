// A page is made for one session. When that has ended or is another's - signed in or out in another
// tab, a new password, a guest who became an account - the page says so and loads itself again, as
// what its reader may do now. What was typed and not sent is kept until then.

const body = document.body;
const mine = body.dataset.session; // none on a page that was made without knowing
const TOLD = 1500, AGAIN = 10000; // ms: to read the banner; sooner than that it does not load itself again

const store = (name, value) => {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {}
};
function take(name) {
  try {
    const value = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    return value;
  } catch {
    return null;
  }
}

// ---- what was typed: never a password or a code, nor a choice of a turn, which the next turn has not

const FIELDS =
  "input:not([type=password], [type=hidden], [type=file], [autocomplete*=code]), textarea, select";
const fields = () =>
  [...document.querySelectorAll(FIELDS)].filter((field) =>
    field.name && field.form && !field.closest("#own")
  );
const named = ({ form, name, type, value }) =>
  [form.getAttribute("action") ?? "", name, ["radio", "checkbox"].includes(type) ? value : ""].join("\n");
const isTicked = ({ type }) => ["radio", "checkbox"].includes(type);
const isChanged = (field) =>
  isTicked(field)
    ? field.checked !== field.defaultChecked
    : field.options
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.value !== field.defaultValue;

function keep() {
  const typed = fields().filter(isChanged).map((
    field,
  ) => [named(field), isTicked(field) ? field.checked : field.value]);
  store("typed", { path: location.pathname, typed });
}

function restore() {
  const kept = take("typed"), returns = take("returns");
  if (!returns || kept?.path !== location.pathname) return;
  const typed = new Map(kept.typed);
  for (const field of fields()) {
    if (!typed.has(named(field))) continue;
    if (isTicked(field)) field.checked = typed.get(named(field));
    else field.value = typed.get(named(field));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// By its address, not by reload(): that would send a form again whose answer this page is.
function load() {
  keep();
  store("returns", true);
  body.dataset.leaving = "yes";
  location.replace(location.pathname + location.search);
}

// ---- a session that is another

let isOver = false;
function changed() {
  if (isOver || body.dataset.leaving) return;
  isOver = true;
  const last = take("reloaded");
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
  if (last) return tell("site:banner", "closed"), tell("site:say", "session");
  tell("site:banner", "session");
  // Not sooner: a page that comes because its reader has just signed in or out was not reloaded.
  setTimeout(() => {
    store("reloaded", true);
    store("told", "reloaded");
    load();
  }, document.hidden ? 0 : TOLD);
}

setTimeout(take, AGAIN, "reloaded");
document.addEventListener("site:session", changed);
document.addEventListener("site:keep", keep);
addEventListener("click", ({ target }) => target.closest?.("[data-reload]") && load());

if (mine !== undefined && window.BroadcastChannel) {
  const tabs = new BroadcastChannel("session");
  tabs.addEventListener("message", ({ data }) => data !== mine && changed());
  tabs.postMessage(mine);
}

restore();
const told = take("told");
if (told) document.dispatchEvent(new CustomEvent("site:say", { detail: told }));
