// The problem as a form, generated from the contract: fields with their comments and mistakes.

import { button, el, shown } from "./dom.js";
import { input, title } from "./inputs.js";
import { path, steps, valueAt } from "./paths.js";
import { spaced } from "./words.js";

/** Elements of a list per page. */
const PAGE = 100;

/** Whether the type of a value is not that of its field. */
function hasWrongType(field, value) {
  if (value === undefined) return false;
  const isObject = (one) => one !== null && typeof one === "object" && !Array.isArray(one);
  if (field.many) return !Array.isArray(value) || (field.message && !value.every(isObject));
  return Boolean(field.message) && !isObject(value);
}

/** The name of a field with its comment; required fields are marked. */
function nameOf(field) {
  return el("span", { class: field.required ? "name required" : "name", title: field.doc }, spaced(field.name));
}

export class Form {
  /**
   * @param {HTMLElement} root
   * @param {any} contract
   * @param {() => void} changed
   */
  constructor(root, contract, changed) {
    this.root = root;
    this.contract = contract;
    this.changed = changed;
    this.open = new Set();
    this.mistakes = [];
  }

  /**
   * Shows a problem.
   * @param {string} message
   * @param {any} problem is changed in place
   */
  show(message, problem) {
    if (message !== this.message) this.open.clear();
    this.message = message;
    this.problem = problem;
    this.root.replaceChildren(...this.fields(message, problem, []));
    this.mark(this.mistakes);
  }

  fields(message, value, here) {
    const { fields } = this.contract.messages[message];
    const seen = new Set();
    return fields.flatMap((field) => {
      if (!field.oneof) return [this.field(field, value, [...here, field.name])];
      if (seen.has(field.oneof)) return [];
      seen.add(field.oneof);
      return this.oneof(
        fields.filter((one) => one.oneof === field.oneof),
        value,
        here,
      );
    });
  }

  /** A `oneof`: a selection of the field, and the selected field. */
  oneof(fields, value, here) {
    const given = fields.find((field) => value?.[field.name] !== undefined);
    const choose = (event) => {
      for (const field of fields) delete value[field.name];
      const field = fields.find((one) => one.name === event.target.value);
      if (field) value[field.name] = field.message ? {} : field.type === "string" ? "" : 0;
      this.rebuild();
    };
    const options = fields.map((field) => el("option", { value: field.name, selected: field === given }, spaced(field.name)));
    const select = el("select", { onchange: choose, "aria-label": "which" }, el("option", { value: "" }, "–"), ...options);
    const line = el("div", { class: "field" }, el("label", {}, el("span", { class: "name" }, spaced(fields[0].oneof)), select));
    return given ? [line, this.field(given, value, [...here, given.name])] : [line];
  }

  field(field, owner, here) {
    const value = owner?.[field.name];
    if (hasWrongType(field, value)) {
      const note = el("span", { class: "bad" }, `must be ${field.many ? "a list" : "an object"}: see JSON`);
      return el("div", { class: "field absent", "data-path": path(here) }, spaced(field.name), note);
    }
    if (field.message) return field.many ? this.list(field, owner, here) : this.nested(field, owner, here);
    const set = (given) => {
      if (given === undefined) delete owner[field.name];
      else owner[field.name] = given;
      this.changed();
    };
    const control = input(field, value, { values: field.enum && this.contract.enums[field.enum], set });
    return el("div", { class: "field", "data-path": path(here) }, el("label", {}, nameOf(field), control));
  }

  /** A nested message, or a button that adds it. */
  nested(field, owner, here) {
    const value = owner?.[field.name];
    if (value === undefined) {
      const add = () => {
        owner[field.name] = {};
        this.open.add(path(here));
        this.rebuild();
      };
      return el(
        "div",
        { class: "field absent", "data-path": path(here) },
        nameOf(field),
        button("add", add, { "aria-label": `add ${spaced(field.name)}` }),
      );
    }
    const remove = field.oneof
      ? undefined
      : () => {
          delete owner[field.name];
          this.rebuild();
        };
    return this.folder(here, { label: spaced(field.name), doc: field.doc, remove, required: field.required }, () =>
      this.fields(field.message, value, here),
    );
  }

  /** A list of messages. */
  list(field, owner, here) {
    const all = owner?.[field.name] ?? [];
    const name = spaced(field.name);
    const add = () => {
      owner[field.name] = [...all, {}];
      this.open.add(path(here)).add(path([...here, all.length]));
      this.rebuild();
    };
    const body = (from = 0) => {
      const part = all.slice(from, from + PAGE).map((value, i) => this.element(field, owner, [...here, from + i]));
      const rest = all.length - from - PAGE;
      if (rest > 0) {
        const more = button(`show more (${rest})`, () => more.replaceWith(...body(from + PAGE)), { class: "more" });
        part.push(more);
      }
      return part;
    };
    return this.folder(here, { label: `${name} (${all.length})`, doc: field.doc, required: field.required }, () => [
      ...body(),
      button(`add to ${name}`, add),
    ]);
  }

  element(field, owner, here) {
    const i = here[here.length - 1];
    const value = owner[field.name][i];
    const remove = () => {
      owner[field.name].splice(i, 1);
      this.rebuild();
    };
    return this.folder(here, { label: title(value, i), doc: "", remove }, () => this.fields(field.message, value, here));
  }

  /** A part that can be opened. It is built when it is first opened, since problems may have thousands of tasks. */
  folder(here, { label, doc, remove, required }, body) {
    const key = path(here);
    const summary = el("summary", { title: doc }, el("bdi", { class: required && "required" }, label));
    if (remove) summary.append(button("×", remove, { class: "remove", "aria-label": `remove ${label}` }));
    const folder = el("details", { class: "folder", "data-path": key }, summary);
    folder.build = () => {
      if (!folder.built) folder.append(el("div", { class: "inside" }, ...body()));
      folder.built = true;
    };
    folder.addEventListener("toggle", () => {
      if (folder.open) {
        folder.build();
        this.open.add(key);
      } else this.open.delete(key);
    });
    if (this.open.has(key)) {
      folder.build();
      folder.open = true;
    }
    return folder;
  }

  /** Rebuilds the form after a part was added or removed. */
  rebuild() {
    const top = this.root.scrollTop;
    this.show(this.message, this.problem);
    this.root.scrollTop = top;
    this.changed();
  }

  /** The element of a path or of its nearest parent. Closed parts around it are opened. */
  find(all) {
    let found = this.root;
    for (let count = 1; count <= all.length; count += 1) {
      const next = this.root.querySelector(`[data-path="${CSS.escape(path(all.slice(0, count)))}"]`);
      if (!next) continue;
      found = next;
      if (next.build && count < all.length) {
        next.build();
        next.open = true;
      }
    }
    return found;
  }

  /**
   * Shows mistakes at their fields.
   * @param {{field: string, text: string}[]} mistakes with paths within the problem
   */
  mark(mistakes) {
    this.mistakes = mistakes;
    for (const old of this.root.querySelectorAll(".mistake")) old.remove();
    for (const old of this.root.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    for (const { field, text } of mistakes) {
      const found = this.find(steps(field));
      const line = el("p", { class: "mistake", role: "alert" }, shown(text, 300));
      if (found.build) {
        found.build();
        found.open = true;
        found.querySelector(".inside").prepend(line);
      } else if (found === this.root) found.prepend(line);
      else found.append(line);
      found.querySelector("input, select, textarea")?.setAttribute("aria-invalid", "true");
    }
  }

  /**
   * Scrolls to a field and highlights it for a moment.
   * @param {string} field
   */
  reveal(field) {
    const found = this.find(steps(field));
    if (found === this.root) return false;
    if (found.build) {
      found.build();
      found.open = true;
    }
    found.scrollIntoView({ block: "center" });
    found.classList.add("shown");
    setTimeout(() => found.classList.remove("shown"), 2500);
    found.querySelector("input, select, textarea, summary")?.focus({ preventScroll: true });
    return true;
  }

  /** Whether the problem has a value at a path. */
  has(field) {
    return valueAt(this.problem, steps(field)) !== undefined;
  }
}
