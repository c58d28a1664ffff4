// Chooses a method of a planner, with a form for further fields of its request.

import { byId, el } from "./dom.js";
import { Form } from "./form.js";
import { methodOf, PLANNERS } from "./planners.js";

/** The contract without the problem and the options of a request: the page has other fields for them. */
function furtherFields(contract, method) {
  const known = new Set(["options", "problem"]);
  const { doc, fields } = contract.messages[method.request];
  const rest = { doc, fields: fields.filter((field) => !known.has(field.name)) };
  return { ...contract, messages: { ...contract.messages, [method.request]: rest } };
}

export class MethodForm {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {() => void} changed called when another method is chosen
   */
  constructor(editor, changed) {
    this.editor = editor;
    this.select = byId("method");
    this.form = new Form(byId("settings"), editor.contract, () => editor.edited());
    editor.addEventListener("mistakes", () => this.mark());
    this.select.addEventListener("change", () => {
      this.choose(this.select.value, {});
      changed();
      editor.edited();
    });
  }

  /** Offers the methods of a planner and chooses one, by default the first. */
  open(planner, name = "", extra = {}) {
    const { methods } = PLANNERS[planner];
    this.select.replaceChildren(...methods.map((one) => el("option", { value: one.name }, one.title)));
    byId("method-label").hidden = methods.length < 2;
    this.planner = planner;
    this.choose(name, extra);
  }

  /** Shows mistakes in fields of this form. */
  mark() {
    const { fields } = this.form.contract.messages[this.form.message];
    const known = new Set(fields.map((field) => field.name));
    const marked = this.editor.mistakes.filter(({ field }) => known.has(field.split(/[.[]/)[0]));
    this.form.mark(marked);
    if (marked.length) byId("more").open = true;
  }

  choose(name, extra) {
    const method = methodOf(this.planner, name);
    this.select.value = method.name;
    this.editor.method = method.name;
    this.editor.extra = extra;
    const contract = furtherFields(this.editor.contract, method);
    byId("more").hidden = !contract.messages[method.request].fields.length;
    this.form.contract = contract;
    this.form.show(method.request, extra);
  }
}
