// The form of a device that was not let in yet.
import { el } from "./dom.js";

// - admit: takes the code and the name; it throws with the reason when they are no good.
export function pairingForm(code, admit, wrong) {
  const field = el("input", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", value: code, "aria-describedby": "code-help code-wrong", "aria-invalid": wrong ? "true" : null });
  const name = el("input", { name: "name", autocomplete: "name", maxlength: "60" });
  const button = el("button", { class: "primary" }, "Connect");
  return el("form", { class: "pair", onsubmit: (event) => {
    event.preventDefault();
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    admit(field.value, name.value);
  } }, el("h2", {}, "Connect this device"),
    el("label", {}, "Code", field, el("span", { class: "caption", id: "code-help" }, "It stands in the studio's terminal, for example K7QM-4R2P."), wrong ? el("span", { class: "wrong", id: "code-wrong", role: "alert" }, wrong) : null),
    el("label", {}, "Your name", name, el("span", { class: "caption" }, "Others read it beside your stars and comments.")), button);
}
