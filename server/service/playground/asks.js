// Chooses a method of a planner, with a form for further fields of its request.

import { byId, el } from "./dom.js";
import { Form } from "./form.js";
import { askOf, PLANNERS } from "./planners.js";

/** The contract without the problem and the options of a request: the page has other fields for them. */
function without(contract, ask) {
  const known = new Set(["options", "problem"]);
  const { doc, fields } = contract.messages[ask.request];
  const rest = { doc, fields: fields.filter((field) => !known.has(field.name)) };
  return { ...contract, messages: { ...contract.messages, [ask.request]: rest } };
}

export class Asks {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {() => void} changed called when another method is chosen
   */
  constructor(editor, changed) {
    this.editor = editor;
    this.select = byId("ask");
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
    const { asks } = PLANNERS[planner];
    this.select.replaceChildren(...asks.map((one) => el("option", { value: one.name }, one.title)));
    byId("ask-label").hidden = asks.length < 2;
    this.planner = planner;
    this.choose(name, extra);
  }

  /** Shows mistakes in fields of this form. */
  mark() {
    const { fields } = this.form.contract.messages[this.form.message];
    const here = new Set(fields.map((field) => field.name));
    const mine = this.editor.mistakes.filter(({ field }) => here.has(field.split(/[.[]/)[0]));
    this.form.mark(mine);
    if (mine.length) byId("more").open = true;
  }

  choose(name, extra) {
    const ask = askOf(this.planner, name);
    this.select.value = ask.name;
    this.editor.ask = ask.name;
    this.editor.extra = extra;
    const contract = without(this.editor.contract, ask);
    byId("more").hidden = !contract.messages[ask.request].fields.length;
    this.form.contract = contract;
    this.form.show(ask.request, extra);
  }
}
