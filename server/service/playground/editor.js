// The edited problem, shown as a form or as JSON.

import { client } from "./client.js";
import { byId, el, later, say, shown } from "./dom.js";
import { Form } from "./form.js";
import { contractNames } from "./field_names.js";
import { path, positions, steps } from "./paths.js";
import { editedPath, methodOf, PLANNERS, requestProblem } from "./planners.js";

/** The pause in typing, in milliseconds, after which the server checks the problem. */
const PAUSE_MS = 350;

export class Editor extends EventTarget {
  /** @param {any} contract */
  constructor(contract) {
    super();
    this.contract = contract;
    this.planner = "";
    this.problem = {};
    /** The chosen method, and further fields of its request. */
    this.method = "";
    this.extra = {};
    this.tab = "form";
    /** Why the typed JSON is invalid; empty if it is valid. */
    this.syntaxError = "";
    /** Number of checks by the server: only the response of the newest counts. */
    this.checks = 0;
    this.text = byId("json");
    this.list = byId("mistakes");
    this.mistakes = [];
    this.form = new Form(byId("form"), contract, () => this.edited());
    this.text.addEventListener("input", () => this.typed());
    for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
      tab.addEventListener("click", () => this.openTab(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => this.key(event));
    }
    this.check = later(() => this.validate(), PAUSE_MS);
  }

  /** Left and right select the previous and the next tab. */
  key(event) {
    const tabs = [...document.querySelectorAll("#tabs [role=tab]:not([hidden])")];
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }

  /** @param {string} tab */
  openTab(tab) {
    this.tab = tab;
    for (const one of document.querySelectorAll("#tabs [role=tab]")) {
      one.setAttribute("aria-selected", String(one.dataset.tab === tab));
      one.tabIndex = one.dataset.tab === tab ? 0 : -1;
      byId(one.getAttribute("aria-controls")).hidden = one.dataset.tab !== tab;
    }
    this.draw();
    this.dispatchEvent(new Event("tab"));
  }

  /**
   * Opens a problem.
   * @param {string} planner
   * @param {any} problem
   */
  open(planner, problem) {
    this.planner = planner;
    this.problem = contractNames(this.contract, PLANNERS[planner].message, problem);
    this.report([]);
    this.draw();
    this.dispatchEvent(new Event("open"));
  }

  /** Shows and checks a problem that was changed outside of the form, as by a relaxation. */
  replaced() {
    this.draw();
    this.edited();
  }

  draw() {
    // The view is built from the problem again, so invalid JSON and its mistake are gone.
    if (this.syntaxError) {
      this.syntaxError = "";
      this.report([]);
      this.check();
    }
    if (this.tab === "json") this.text.value = `${JSON.stringify(this.problem, null, 2)}\n`;
    else if (this.tab === "form") this.form.show(PLANNERS[this.planner].message, this.problem);
  }

  edited() {
    this.dispatchEvent(new Event("edit"));
    this.check();
  }

  typed() {
    let problem;
    try {
      problem = JSON.parse(this.text.value);
      if (problem === null || typeof problem !== "object" || Array.isArray(problem))
        throw new SyntaxError("the problem must be an object");
    } catch (error) {
      this.syntaxError = error.message;
      this.report([{ field: "", text: error.message }]);
      return;
    }
    this.syntaxError = "";
    this.problem = problem;
    this.edited();
  }

  /** Checks the request on the server, without a search. */
  async validate() {
    this.checks += 1;
    const [method, check] = [methodOf(this.planner, this.method), this.checks];
    const { problem } = this;
    // An edited problem stays the same object; typed JSON may have become invalid.
    const isCurrent = () => check === this.checks && problem === this.problem && !this.syntaxError;
    if (!isCurrent()) return;
    const request = { ...requestProblem(method, problem), ...this.extra, options: { validate_only: true, priority: "PRIORITY_LOW" } };
    try {
      if (method.streams) for await (const _ of client.stream(method.rpc, request)) continue;
      else await client.call(method.rpc, request);
      if (isCurrent()) this.report([]);
    } catch (error) {
      if (isCurrent()) this.refused(error);
    }
  }

  /** @param {any} error of a call */
  refused(error) {
    if (!error.mistakes?.length) {
      if (error.code === "INVALID_ARGUMENT") this.report([{ field: "", text: error.message }]);
      else say(error.message, "bad");
      return;
    }
    const method = methodOf(this.planner, this.method);
    this.report(error.mistakes.map((one) => ({ ...one, field: editedPath(method, one.field) })));
  }

  /** @param {{field: string, text: string}[]} mistakes */
  report(mistakes) {
    this.mistakes = mistakes;
    const line = (one) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", onclick: () => this.reveal(one.field) },
          el("code", {}, shown(one.field || "problem", 120)),
        ),
        ` ${shown(one.text, 300)}`,
      );
    this.list.replaceChildren(...mistakes.map(line));
    this.list.hidden = !mistakes.length;
    byId("valid").textContent = mistakes.length ? `${mistakes.length} mistake${mistakes.length > 1 ? "s" : ""}` : "";
    if (this.tab === "form") this.form.mark(mistakes);
    else this.form.mistakes = mistakes;
    this.dispatchEvent(new Event("mistakes"));
  }

  /**
   * Shows a field in the current tab: in JSON or else in the form.
   * @param {string} field
   */
  reveal(field) {
    if (this.tab === "json") this.select(field);
    else {
      if (this.tab !== "form") this.openTab("form");
      this.form.reveal(field);
    }
  }

  select(field) {
    let known;
    try {
      known = positions(this.text.value);
    } catch {
      return;
    }
    // For a missing value its nearest parent is selected.
    for (let all = steps(field); ; all = all.slice(0, -1)) {
      const position = known.get(path(all));
      if (position) {
        this.text.focus();
        this.text.setSelectionRange(...position);
        const line = this.text.value.slice(0, position[0]).split("\n").length;
        this.text.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(this.text).lineHeight));
        return;
      }
      if (!all.length) return;
    }
  }
}
