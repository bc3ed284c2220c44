// The page without an invitation: asks for a pairing code and a name.
import { call } from "./api.js";
import { el, fill, save, saved } from "./dom.js";
import { pairingCode } from "./route.js";

const kind = /iPad|iPhone|Android/.exec(navigator.userAgent)?.[0] ?? "Computer";

// Returns the view. After the service has accepted the code, the page loads again. The reload discards the replies that this
// browser received as an earlier device.
export function pairView(code, reason) {
  const input = el("input", { value: code, required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: false, placeholder: "K7QM-4R2P", maxLength: 9, "aria-describedby": "problem" });
  const name = el("input", { value: saved("name", kind), required: true, maxLength: 40, autocomplete: "nickname" });
  const problem = el("p.problem", { id: "problem", role: "alert" }), submit = el("button.primary", "Open the photos");
  const form = el("form.card", {
    noValidate: true,
    onsubmit: async (event) => {
      event.preventDefault();
      const value = pairingCode(input.value), person = name.value.trim() || kind;
      fill(problem, !value && "A code has 8 letters and digits, for example K7QM-4R2P.");
      try {
        if (!value) throw null;
        submit.disabled = true;
        // Chrome can delay a response with Clear-Site-Data by 30 s (rails/rails#54379).
        await call("POST", "/v1/web/session", { code: value, name: person }, 60000);
        save("name", person);
        location.reload();
      } catch (error) {
        if (error) fill(problem, error.message, " ", error.nextStep);
        input.ariaInvalid = true;
        input.focus();
      }
      submit.disabled = false;
    },
  }, el("h1", "FrameFast"), reason && el("p", reason), el("p", "Scan the code that the photographer shows you, or type it here."),
  el("label", "Code", input), problem, el("label", "Your name, for the photographer", name), submit);
  queueMicrotask(() => (code ? name : input).focus());
  return form;
}
