// Long work that outlives the page: started here, listed, watched, ended, forgotten.

import { call, stream } from "./api.js";
import { button, el, shown } from "./dom.js";
import { Run } from "./run.js";
import { number, word } from "./words.js";

const ENDED = new Set(["JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED"]);
const PAGE = 50;

/**
 * @typedef {object} Around
 * @property {import("./editor.js").Editor} editor
 * @property {() => any} options `SolveOptions` as they stand
 * @property {(run: Run, answer: any) => Promise<void>} answered shows an answer
 * @property {(act: () => any) => void} guarded
 */

class Jobs {
  /**
   * @param {HTMLElement} root
   * @param {Around} around
   */
  constructor(root, around) {
    this.around = around;
    /** @type {Map<string, any>} jobs by their ids, newest first */
    this.jobs = new Map();
    /** @type {Map<string, Run>} what was handed in from here: a job does not tell its request */
    this.ours = new Map();
    /** @type {Set<string>} what is being followed */
    this.watched = new Set();
    const { guarded } = around;
    this.rows = el("tbody");
    this.empty = el("p", {}, "No jobs.");
    /** Where the list goes on; empty: all are shown. */
    this.next = "";
    this.more = button("More jobs", () => guarded(() => this.list(this.next)));
    const heads = ["job", "state", "cost so far", ""].map((name) => el("th", { scope: "col" }, name));
    root.replaceChildren(
      el(
        "div",
        { class: "row" },
        button("Start this problem as a job", () => guarded(() => this.create())),
        button("Look again", () => guarded(() => this.list())),
      ),
      el("table", { class: "jobs" }, el("thead", {}, el("tr", {}, ...heads)), this.rows),
      this.empty,
      this.more,
    );
    this.draw();
  }

  async create() {
    const { editor, options } = this.around;
    const { planner, ask, extra } = editor;
    const run = new Run(planner, editor.problem, options(), { ask, extra });
    const wanted = { request_id: crypto.randomUUID(), request: { [run.ask.job]: run.request() } };
    const { job } = await call("JobService/CreateJob", wanted);
    this.ours.set(job.job_id, run);
    this.jobs = new Map([[job.job_id, job], ...this.jobs]);
    this.draw();
    await this.watch(job.job_id);
  }

  /**
   * Lists jobs, the newest first.
   * @param {string} [token] where the page before has ended; none: from the newest on
   */
  async list(token = "") {
    const { jobs = [], next_page_token = "" } = await call("JobService/ListJobs", { page_size: PAGE, page_token: token });
    const page = jobs.map((job) => [job.job_id, job]);
    this.jobs = new Map(token ? [...this.jobs, ...page] : page);
    this.next = next_page_token;
    this.draw();
  }

  /** Follows a job until it has ended. */
  async watch(id) {
    if (this.watched.has(id)) return;
    this.watched.add(id);
    this.draw();
    try {
      await this.follow(id);
    } finally {
      this.watched.delete(id);
      this.draw();
    }
    await this.look(id);
  }

  async follow(id) {
    const asked = { job_id: id, after_sequence: this.jobs.get(id)?.sequence ?? "0" };
    for await (const { event } of stream("JobService/WatchJob", asked)) {
      const known = this.jobs.get(id);
      if (!known) return;
      const { sequence, state, progress = known.progress } = event;
      this.jobs.set(id, { ...known, sequence, state: state ?? known.state, progress });
      this.draw();
    }
  }

  /** Asks how a job is by now; whoever has forgotten it meanwhile does not want to know. */
  async look(id) {
    try {
      const { job } = await call("JobService/GetJob", { job_id: id });
      if (this.jobs.has(id)) this.jobs.set(id, job);
    } catch (error) {
      if (this.jobs.has(id)) throw error;
    }
    this.draw();
  }

  async cancel(id) {
    const { job } = await call("JobService/CancelJob", { job_id: id });
    this.jobs.set(id, job);
    this.draw();
  }

  async forget(id) {
    await call("JobService/DeleteJob", { job_id: id });
    this.jobs.delete(id);
    this.draw();
  }

  async show(id) {
    const { job } = await call("JobService/GetJob", { job_id: id });
    const run = this.ours.get(id);
    const answer = job.response?.[run.ask.job];
    if (!answer) throw new Error("the job has no response");
    await this.around.answered(run, answer);
  }

  draw() {
    const { guarded } = this.around;
    const row = (job) => {
      const { job_id: id, state } = job;
      const act = (label, what) => button(label, () => guarded(() => this[what](id)), { "aria-label": `${label} ${job.planner} ${id}` });
      const has = (job.response || ENDED.has(state)) && this.ours.has(id);
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
          has ? act("Show", "show") : null,
          ENDED.has(state) ? act("Forget", "forget") : null,
        ),
      );
    };
    // Whoever is on a button stays on it: a job tells something many times a second.
    const held = document.activeElement?.closest("[data-job] button")?.getAttribute("aria-label");
    this.rows.replaceChildren(...[...this.jobs.values()].map(row));
    if (held) this.rows.querySelector(`[aria-label="${CSS.escape(held)}"]`)?.focus();
    this.empty.hidden = this.jobs.size > 0;
    this.more.hidden = !this.next;
  }
}

/**
 * Fills a menu with jobs; they are asked for when it is opened.
 * @param {HTMLDetailsElement} menu
 * @param {Around} around
 */
export function jobs(menu, around) {
  const office = new Jobs(menu.querySelector("div"), around);
  menu.addEventListener("toggle", () => menu.open && around.guarded(() => office.list()));
}
