/** One sequence of better and better plans from the streams of several servers. */

/**
 * What responses of all searches have.
 * @typedef {object} Step
 * @property {Event} [event]
 * @property {import('../types/methods.js').Messages["SolveReport"]} [report]
 * @typedef {import('../types/methods.js').Messages["SolveEvent"]} Event
 */

/**
 * The best response so far, and the last one with a report.
 * @template {Step} S
 */
export class Best {
  /** @type {S | undefined} */
  #best;
  /** @type {number[]} */
  #levels = [];
  /** @type {S | undefined} */
  #reported;
  #isHandedOn = false;
  /** Whether the search has ended. */
  ended = false;

  /**
   * The responses to hand on: none unless this one has a better plan, or ends the search.
   * @param {S} given
   * @returns {S[]}
   */
  take(given) {
    let step = given;
    let levels = levelsOf(step.event);
    if (step.report) {
      levels = levelsOf(step.report);
      this.#reported = step;
      this.ended = step.report.stop_reason !== "STOP_REASON_DRAINING";
      if (!this.ended) {
        // The search goes on at another server, which sends the report.
        step = { ...step, report: undefined };
        if (!levels.length) return [];
      }
    } else if (step.event?.heartbeat) return [];
    const isBetter = !this.#best || isLess(levels, this.#levels);
    if (levels.length && isBetter) [this.#best, this.#levels] = [step, levels];
    if (this.ended) return this.last();
    // Plans of some methods have no objective, and are handed on as they come.
    if (!isBetter && levels.length) return [];
    this.#isHandedOn = true;
    return [step];
  }

  /**
   * The last response with a report, with the best plan of all servers.
   * @returns {S[]}
   */
  last() {
    if (!this.#reported?.report) return [];
    const { gap: _, ...report } = this.#reported.report;
    const levels = levelsOf(report);
    if (!this.#best || (levels.length && !isLess(this.#levels, levels))) return [this.#reported];
    // An earlier server found a better plan than the one that sent the report.
    return [{ ...this.#best, report: { ...report, objective: this.#best.event?.objective } }];
  }

  /**
   * The last response when no other server can be called; `error` is thrown when there is no plan.
   * @param {Error} [error]
   * @returns {S[]}
   */
  close(error) {
    if (error && !this.#isHandedOn && !this.#best) throw error;
    return this.last();
  }
}

/**
 * @param {{objective?: {levels?: number[]}} | undefined} part
 * @returns {number[]}
 */
function levelsOf(part) {
  return part?.objective?.levels ?? [];
}

/**
 * The order of lists.
 * @param {number[]} levels
 * @param {number[]} others
 */
function isLess(levels, others) {
  const i = levels.findIndex((level, i) => level !== others[i]);
  // JSON has infinities as texts.
  return i < 0 ? levels.length < others.length : i < others.length && Number(levels[i]) < Number(others[i]);
}
