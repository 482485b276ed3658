// Shows the password of a new account, which is typed once, while its button is pressed in.

for (const button of document.querySelectorAll(".new-password > button")) {
  const field =
    /** @type {HTMLInputElement} */ (document.getElementById(button.getAttribute("aria-controls")));
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.removeAttribute("hidden");
  button.addEventListener("click", () => show(field.type === "password"));
  // A browser offers to remember a password, not a word.
  field.form.addEventListener("submit", () => show(false));
}
