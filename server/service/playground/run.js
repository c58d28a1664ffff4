// A search: its request, its better plans as they arrive, and its response.

import { client } from "./client.js";
import { methodOf, requestProblem } from "./planners.js";
import { seconds } from "./words.js";

/** Largest number of plans. Beyond it every second one is dropped, except the first and the last. */
const INCUMBENTS_MAX = 400;
/** Largest number of points of the curve, likewise. */
const POINTS_MAX = 1000;

/**
 * @typedef {object} Incumbent
 * @property {number} number from 1, in order of arrival
 * @property {number} elapsed seconds since the search began
 * @property {number[]} levels
 * @property {any} objective
 * @property {any} plan
 * @property {any} detail
 * @property {string} foundBy the part of the search that found it
 * @property {string} label of a frame; empty for better plans
 * @property {boolean} isResult whether it is a result of the method, to be verified
 */

/**
 * Drops every second element of a list that is too long, except the first and the last.
 * @template T
 * @param {T[]} list
 * @param {number} max
 */
export function thin(list, max) {
  return list.length <= max ? list : list.filter((_, i) => i % 2 === 0 || i === list.length - 1);
}

/** Numbers of a list in JSON, which has infinities as texts. */
const numbers = (list) => (list ?? []).map(Number);

export class Run extends EventTarget {
  /**
   * @param {string} planner
   * @param {any} problem
   * @param {any} options `SolveOptions`
   * @param {{method?: string, extra?: any}} [call] the method, and further fields of the request
   */
  constructor(planner, problem, options, { method = "", extra = {} } = {}) {
    super();
    this.planner = planner;
    this.method = methodOf(planner, method);
    // A copy: the user goes on editing.
    this.problem = structuredClone(problem);
    this.options = options;
    this.extra = structuredClone(extra);
    /** @type {Incumbent[]} */
    this.incumbents = [];
    /** @type {{t: number, levels?: number[], bound?: number[]}[]} */
    this.points = [];
    this.answer = null;
    this.error = null;
    this.verification = null;
    this.running = false;
    this.count = 0;
    this.abort = new AbortController();
  }

  /** The request, as it is sent. */
  request() {
    return { ...requestProblem(this.method, this.problem), options: { priority: "PRIORITY_LOW", ...this.options }, ...this.extra };
  }

  get report() {
    return this.answer?.report;
  }

  /** The best plan. Results of weaker checks do not count. */
  get best() {
    return this.incumbents.findLast((one) => one.isResult);
  }

  /** Runs the search to its end; dispatches `better`, `step` and `end`. */
  async start() {
    this.running = true;
    const { signal } = this.abort;
    try {
      for await (const message of this.messages(signal)) this.receive(message);
      await this.verify();
    } catch (error) {
      if (!signal.aborted) this.error = error;
      else await this.verify().catch(() => {});
    }
    this.running = false;
    this.notify("end");
  }

  /** The messages of all calls. */
  async *messages(signal) {
    const { rpc, streams, before } = this.method;
    const request = this.request();
    if (before) yield* before(request, signal);
    if (streams) yield* client.stream(rpc, request, { signal });
    else yield await client.call(rpc, request, { signal });
  }

  stop() {
    this.abort.abort();
  }

  notify(what) {
    this.dispatchEvent(new Event(what));
  }

  /** @param {any} message */
  receive(message) {
    const { method } = this;
    const { event, report } = message;
    const latest = event ?? report ?? {};
    const elapsed = event ? seconds(event.elapsed) : seconds(report?.timings?.solve_duration);
    const levels = numbers(latest.objective?.levels);
    const bound = latest.bound && numbers(latest.bound.levels);
    if (levels.length || bound) this.points.push({ t: elapsed, levels: levels.length ? levels : undefined, bound });
    this.points = thin(this.points, POINTS_MAX);
    if (report) this.answer = message;
    // Frames come with the last message; until then the best plan so far is shown.
    const frames = method.frames && (report || !event) ? method.frames(message, this.problem) : [];
    for (const frame of frames) {
      const objective = frame.objective ?? frame.plan?.objective;
      this.push({ elapsed, objective, levels: numbers(objective?.levels), detail: undefined, foundBy: "", isResult: false, ...frame });
    }
    const plan = method.plan(message);
    // Heartbeats repeat a known plan, unless they are the last message.
    if (!frames.length && plan && (report || !event?.heartbeat)) {
      const incumbent = { elapsed, levels, objective: latest.objective, plan, detail: method.detail?.(message), foundBy: event?.found_by ?? "" };
      const last = this.best;
      // The last message repeats the best plan, with more detail.
      if (report && last && String(last.levels) === String(levels)) {
        Object.assign(last, { plan, detail: incumbent.detail ?? last.detail });
      } else this.push({ ...incumbent, label: "", isResult: true });
    }
    if (frames.length || plan) this.notify("better");
    this.notify("step");
  }

  push(incumbent) {
    this.count += 1;
    this.incumbents.push({ ...incumbent, number: this.count });
    this.incumbents = thin(this.incumbents, INCUMBENTS_MAX);
  }

  /** Verifies the best plan, or all requested plans, with code that is independent of the search. */
  async verify() {
    const { answer, best } = this;
    if (!best) return;
    const frames = answer && this.method.frames ? this.incumbents.filter((one) => one.isResult && one.label) : [];
    const verifications = await Promise.all((frames.length ? frames : [best]).map((one) => this.check(one)));
    this.verification = verifications.find((verification) => verification && !verification.valid) ?? verifications.at(-1);
  }

  /** Verifies a plan. */
  async check({ plan, levels, label }) {
    if (this.method.verify) return this.method.verify(plan, this);
    const verification = await client.call("PlanningService/VerifyPlan", {
      problem: { [this.planner]: this.problem },
      plan: { [this.method.kind ?? this.planner]: plan },
    });
    const claimed = label ? levels : numbers((this.report?.objective ?? this.best.objective)?.levels);
    return { ...verification, claimed };
  }

  /**
   * The picture of a plan.
   * @param {Incumbent | undefined} incumbent
   * @param {string} format of the contract
   * @param {any} [detail]
   */
  async picture(incumbent, format, detail = {}) {
    const { kind, detail: detailOf } = this.method;
    // Some plans are problems, and drawn as such.
    const problem = kind === null && incumbent ? this.problemWith(incumbent.plan) : this.problem;
    const known = this.answer && !incumbent ? detailOf?.(this.answer) : undefined;
    const request = { problem: { [this.planner]: problem }, format, detail: drawable({ ...known, ...incumbent?.detail, ...detail }) };
    if (incumbent?.plan && kind !== null) request.plan = { [kind ?? this.planner]: incumbent.plan };
    return (await client.call("PlanningService/RenderPlan", request)).picture;
  }

  /** The problem with its part replaced by that of a plan. */
  problemWith(plan) {
    const { part } = this.method;
    return part ? { ...this.problem, [part]: plan[part] } : this.problem;
  }
}

/** The details that pictures can show. */
function drawable({ heist_analysis: _, patrol_mixture_evaluation: __, ...detail }) {
  return detail;
}
