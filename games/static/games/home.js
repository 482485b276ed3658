// The stage of the home page: after an answer its reader has a new session, whose token every form needs,
// and the next step is to play.

const body = document.body;

body.addEventListener("htmx:afterSwap", () => {
  const stage = document.getElementById("stage");
  const { token, as } = stage?.dataset ?? {};
  if (!token) return;
  delete stage.dataset.token;
  stage.querySelector(".told").focus({ preventScroll: true });
  body.dataset.session = as;
  body.setAttribute("hx-headers", JSON.stringify({ "x-csrftoken": token }));
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
  if (!document.querySelector("main .primary"))
    document.querySelector(".play-people .way")?.classList.add("primary");
});
