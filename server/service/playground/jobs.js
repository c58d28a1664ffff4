// The menu of jobs: starts, lists, watches, cancels and deletes them.

import { client } from "./client.js";
import { button, el, shown } from "./dom.js";
import { Run } from "./run.js";
import { number, word } from "./words.js";

const ENDED = new Set(["JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED"]);
const PAGE = 50;

/**
 * @typedef {object} Context
 * @property {import("./editor.js").Editor} editor
 * @property {() => any} options the chosen `SolveOptions`
 * @property {(run: Run, answer: any) => Promise<void>} showResponse shows a response
 * @property {(act: () => any) => void} guarded
 */

class Jobs {
  /**
   * @param {HTMLElement} root
   * @param {Context} context
   */
  constructor(root, context) {
    this.context = context;
    /** @type {Map<string, any>} jobs by id, newest first */
    this.jobs = new Map();
    /** @type {Map<string, Run>} runs of jobs that this page created: jobs do not include their requests */
    this.runs = new Map();
    /** @type {Set<string>} ids of watched jobs */
    this.watched = new Set();
    const { guarded } = context;
    this.rows = el("tbody");
    this.empty = el("p", {}, "No jobs.");
    /** The token of the next page; empty if all jobs are listed. */
    this.next = "";
    this.more = button("More jobs", () => guarded(() => this.list(this.next)));
    const heads = ["job", "state", "cost so far", ""].map((name) => el("th", { scope: "col" }, name));
    root.replaceChildren(
      el(
        "div",
        { class: "row" },
        button("Start this problem as a job", () => guarded(() => this.create())),
        button("Refresh", () => guarded(() => this.list())),
      ),
      el("table", { class: "jobs" }, el("thead", {}, el("tr", {}, ...heads)), this.rows),
      this.empty,
      this.more,
    );
    this.draw();
  }

  async create() {
    const { editor, options } = this.context;
    const { planner, method, extra } = editor;
    const run = new Run(planner, editor.problem, options(), { method, extra });
    const job = await client.jobs.create(run.method.rpc, run.request());
    this.runs.set(job.job_id, run);
    this.jobs = new Map([[job.job_id, job], ...this.jobs]);
    this.draw();
    await this.watch(job.job_id);
  }

  /**
   * Lists jobs, the newest first.
   * @param {string} [token] of a page; default: the first
   */
  async list(token = "") {
    const { jobs = [], next_page_token = "" } = await client.call("JobService/ListJobs", { page_size: PAGE, page_token: token });
    const page = jobs.map((job) => [job.job_id, job]);
    this.jobs = new Map(token ? [...this.jobs, ...page] : page);
    this.next = next_page_token;
    this.draw();
  }

  /** Watches a job until it has ended. */
  async watch(id) {
    if (this.watched.has(id)) return;
    this.watched.add(id);
    this.draw();
    try {
      for await (const event of client.jobs.watch(id, { afterSequence: this.jobs.get(id)?.sequence })) {
        // The user may have deleted it meanwhile.
        if (!this.jobs.has(id)) return;
        this.jobs.set(id, { ...this.jobs.get(id), ...event });
        this.draw();
      }
    } catch (error) {
      if (this.jobs.has(id)) throw error;
    } finally {
      this.watched.delete(id);
      this.draw();
    }
  }

  async cancel(id) {
    this.jobs.set(id, await client.jobs.cancel(id));
    this.draw();
  }

  async remove(id) {
    await client.jobs.delete(id);
    this.jobs.delete(id);
    this.draw();
  }

  async show(id) {
    const { response = {} } = await client.jobs.get(id);
    const [answer] = Object.values(response);
    if (!answer) throw new Error("the job has no response");
    await this.context.showResponse(this.runs.get(id), answer);
  }

  draw() {
    const { guarded } = this.context;
    const row = (job) => {
      const { job_id: id, state } = job;
      const act = (label, action) => button(label, () => guarded(() => this[action](id)), { "aria-label": `${label} ${job.planner} ${id}` });
      const hasResponse = (job.response || ENDED.has(state)) && this.runs.has(id);
      const levels = job.progress?.objective?.levels?.map((one) => number(Number(one))).join(" / ");
      return el(
        "tr",
        { "data-job": id, "data-state": state },
        el("th", { scope: "row" }, shown(`${job.planner} ${id}`, 60)),
        el("td", {}, shown(job.error?.message ?? word(state, "JOB_STATE_"), 120)),
        el("td", {}, levels ?? "–"),
        el(
          "td",
          {},
          ENDED.has(state) || this.watched.has(id) ? null : act("Watch", "watch"),
          ENDED.has(state) ? null : act("Cancel", "cancel"),
          hasResponse ? act("Show", "show") : null,
          ENDED.has(state) ? act("Delete", "remove") : null,
        ),
      );
    };
    // Keep the focus on its button: rows change many times per second.
    const focused = document.activeElement?.closest("[data-job] button")?.getAttribute("aria-label");
    this.rows.replaceChildren(...[...this.jobs.values()].map(row));
    if (focused) this.rows.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    this.empty.hidden = this.jobs.size > 0;
    this.more.hidden = !this.next;
  }
}

/**
 * Fills a menu with jobs. They are listed when it is opened.
 * @param {HTMLDetailsElement} menu
 * @param {Context} context
 */
export function jobs(menu, context) {
  const all = new Jobs(menu.querySelector("div"), context);
  menu.addEventListener("toggle", () => menu.open && context.guarded(() => all.list()));
}
