/** Sessions: problems that change while they are played, and plans that follow them. */

import { CallError } from "./error.js";
import { Deadline, sleep } from "./retry.js";

/** @typedef {import('../types/methods.js').Messages} Messages */
/** @typedef {import('./client.js').CallOptions} CallOptions */
/** @typedef {Messages["SessionView"]} View */
/** @typedef {Messages["SessionUpdate"]} Update */

/** The largest number of updates in a call. */
const BATCH_MAX = 64;
/** How many acknowledged updates are kept until there is a snapshot that contains them. */
const SNAPSHOT_UPDATES = 100;
/** The largest number of updates that are kept. */
const KEPT_MAX = 10_000;
/** Errors by an update that the server cannot read, or by too many of them in a call. */
const UNREADABLE = ["MESSAGE_MALFORMED", "MESSAGE_TOO_LARGE"];

/**
 * The plan of a view, of whatever kind.
 * @param {View} view
 */
function planOf({ allocation, temporal, narrative, patrol }) {
  return {
    ...(allocation && { allocation }),
    ...(temporal && { temporal }),
    ...(patrol && { patrol }),
    ...(narrative && { narrative }),
  };
}

/**
 * Whether a view has a plan.
 * @param {View} view
 */
function hasPlan(view) {
  return Object.keys(planOf(view)).length > 0;
}

/**
 * A session of a running game, which survives the loss of its server.
 *
 * Updates are numbered, and sent until they are acknowledged. A server that does not know the session gets it from its last
 * snapshot and the updates after it.
 */
export class Session {
  #client;
  #snapshot;
  #sequence;
  #acknowledged = 0;
  /** The updates after the snapshot. @type {Update[]} */
  #kept = [];
  /** Those of the last call. @type {Update[]} */
  #sent = [];
  /** @type {Messages["SessionRefusal"][]} */
  #refused = [];
  /** Updates up to this one have been accepted or refused once. */
  #judged = 0;
  /** Updates up to this one are sent one at a time. */
  #single = 0;
  /** The updates whose callers wait. @type {Set<number>} */
  #awaited = new Set();
  #isMissing = true;
  #isStale = false;
  #isClosed = false;
  #losses = 0;
  /**
   * The call that is being made.
   * @type {Promise<void> | undefined}
   */
  #calling;
  /**
   * The snapshot that is being taken.
   * @type {Promise<void> | undefined}
   */
  #asking;
  /** The newest plan. @type {View} */
  view = {};

  /**
   * For `create`.
   * @param {import('./client.js').Client} client
   * @param {Messages["CreateSessionRequest"]} request
   */
  constructor(client, request) {
    this.#client = client;
    this.#snapshot = request;
    this.#sequence = request.applied_sequence ?? 0;
  }

  /**
   * Creates a session, and plans for it.
   * @param {import('./client.js').Client} client
   * @param {Messages["CreateSessionRequest"]} request
   * @param {CallOptions} [options]
   */
  static async create(client, request, options = {}) {
    const made = new Session(client, structuredClone(request));
    await made.#step(options);
    return made;
  }

  /**
   * Sends what has changed, and returns the plan for it.
   *
   * Updates of the same moment share a call. `refused` has the update if the server does not take it, and earlier ones that had
   * failed. An update that fails by its deadline is sent with the next one.
   * @param {Omit<Update, "sequence" | "now_offset">} change as in `{ allocation: { removed_agent_ids: ["ann"] } }`
   * @param {number} [now] seconds since the start of the plan
   * @param {{patienceMs?: number} & CallOptions} [options] `patienceMs` is time to search before the response
   * @returns {Promise<View>}
   */
  async update(change, now, options = {}) {
    this.#checkOpen();
    const { patienceMs = 0 } = options;
    if (!Number.isFinite(patienceMs)) throw new RangeError(`patienceMs is ${patienceMs}`);
    if (this.#kept.length >= KEPT_MAX) throw new RangeError(`${KEPT_MAX} updates are not in a snapshot of the session yet`);
    this.#sequence += 1;
    const sequence = this.#sequence;
    this.#kept.push({ ...structuredClone(change), sequence, ...(now !== undefined && { now_offset: `${now.toFixed(6)}s` }) });
    this.#awaited.add(sequence);
    try {
      await this.#send(sequence, options);
    } finally {
      this.#awaited.delete(sequence);
    }
    // Its own refusal, and those of updates whose callers have left.
    const refused = this.#refused.filter((one) => !this.#awaited.has(one.sequence ?? 0));
    this.#refused = this.#refused.filter((one) => !refused.includes(one));
    if (this.#acknowledged - (this.#snapshot.applied_sequence ?? 0) >= SNAPSHOT_UPDATES) this.#asking ??= this.#ask();
    return { ...this.view, refused };
  }

  /**
   * Yields the plan whenever it changes, until the session is closed.
   *
   * It continues when a connection or a server is lost, for `timeoutMs`, by default without limit.
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<View, void, undefined>}
   */
  async *watch({ timeoutMs = Number.POSITIVE_INFINITY, ...options } = {}) {
    const deadline = new Deadline(timeoutMs);
    let { epoch } = this.view;
    let wanted = 0;
    for (;;) {
      let lost;
      try {
        await this.#send(wanted, { ...options, timeoutMs: Math.min(deadline.left(), this.#client.timeoutMs) });
        epoch = this.view.epoch;
        // Each stream lasts for the deadline of the client, at least 30 s: a server may have frozen.
        const left = Math.min(deadline.left(), Math.max(this.#client.timeoutMs, 30_000));
        const stream = this.#client.stream("SessionService/WatchSession", this.#named, { ...this.#routed(options), timeoutMs: left });
        for await (const { view = {} } of stream) if (this.#see(view)) yield this.view;
        return;
      } catch (error) {
        if (this.#isClosed) return;
        if (!(error instanceof CallError)) throw error;
        if (error.reason !== "SESSION_UNKNOWN") lost = error;
      }
      if (!lost) {
        // An update may have created it in the meantime.
        this.#isMissing ||= this.view.epoch === epoch;
        wanted = this.#sequence;
      }
      const pause = deadline.pause(lost);
      if (pause === undefined) throw lost ?? new CallError("DEADLINE_EXCEEDED", `the session has not ended within ${timeoutMs} ms`);
      await sleep(pause, options.signal);
    }
  }

  /**
   * Ends the session, and all watching of it.
   * @param {CallOptions} [options]
   */
  async close(options = {}) {
    this.#isClosed = true;
    // A call that is being made could create it again.
    while (this.#calling) await this.#calling.catch(() => {});
    await this.#client.call("SessionService/CloseSession", this.#named, this.#routed(options));
  }

  #checkOpen() {
    if (this.#isClosed) throw new Error("the session is closed");
  }

  get #named() {
    return { session_id: this.#snapshot.session_id };
  }

  /**
   * The options of a call with the header by which balancers route the session to one server.
   * @param {CallOptions} options
   */
  #routed(options) {
    return { ...options, headers: { ...options.headers, "x-session-id": this.#snapshot.session_id } };
  }

  /**
   * Makes calls until an update is acknowledged, and the server has the session.
   * @param {number} sequence
   * @param {{patienceMs?: number} & CallOptions} options
   */
  async #send(sequence, options) {
    const deadline = new Deadline(options.timeoutMs ?? this.#client.timeoutMs);
    while (this.#isMissing || this.#acknowledged < sequence) {
      this.#checkOpen();
      if (this.#calling) {
        // Its errors are those of its caller.
        if (deadline.left() === 0) throw new CallError("DEADLINE_EXCEEDED", "another call of the session has taken the time");
        await sleep(deadline.left(), options.signal, this.#calling);
        continue;
      }
      this.#calling = this.#repeat({ ...options, timeoutMs: deadline.left() }, deadline).finally(() => {
        this.#calling = undefined;
      });
      await this.#calling;
    }
  }

  /**
   * Makes the next call; where it fails, waits until another one may succeed.
   * @param {{patienceMs?: number} & CallOptions} options
   * @param {Deadline} deadline
   */
  async #repeat(options, deadline) {
    try {
      await this.#step(options);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const pause = this.#pause(error, deadline);
      if (pause === undefined) throw error;
      await sleep(pause, options.signal);
    }
  }

  /**
   * Makes the next call.
   * @param {{patienceMs?: number} & CallOptions} options
   */
  async #step({ patienceMs, ...options }) {
    const terms = this.#routed(options);
    this.#sent = [];
    if (this.#isStale) {
      await this.#client.call("SessionService/CloseSession", this.#named, terms);
      this.#isStale = false;
    }
    if (this.#isMissing) {
      const { view = {} } = await this.#client.call("SessionService/CreateSession", this.#snapshot, terms);
      // Views of other servers do not count, whatever their clocks.
      this.view = view;
      this.#isMissing = false;
      this.#acknowledged = view.applied_sequence ?? 0;
      this.#sequence = Math.max(this.#sequence, this.#acknowledged);
      return;
    }
    const waiting = this.#kept.filter((one) => (one.sequence ?? 0) > this.#acknowledged);
    this.#sent = waiting.slice(0, this.#acknowledged < this.#single ? 1 : BATCH_MAX);
    const request = {
      ...this.#named,
      updates: this.#sent,
      patience_duration: patienceMs === undefined ? undefined : `${(patienceMs / 1000).toFixed(6)}s`,
      known_plan_revision: hasPlan(this.view) ? this.view.plan_revision : undefined,
    };
    const { view = {} } = await this.#client.call("SessionService/UpdateSession", request, terms);
    if ((view.epoch ?? 0) < (this.view.epoch ?? 0)) {
      // A session from before: this server has missed updates.
      this.#isStale = this.#isMissing = true;
      return;
    }
    this.#losses = 0;
    this.#acknowledged = Math.max(this.#acknowledged, view.applied_sequence ?? 0);
    // A session that is created again refuses the same updates again.
    this.#refused.push(...(view.refused ?? []).filter((one) => (one.sequence ?? 0) > this.#judged));
    this.#judged = Math.max(this.#judged, this.#acknowledged);
    this.#see(view);
  }

  /**
   * Takes a view. False when it is older than the newest one.
   * @param {View} view
   */
  #see({ refused: _, ...view }) {
    const known = this.view;
    const order = (view.epoch ?? 0) - (known.epoch ?? 0) || (view.plan_revision ?? 0) - (known.plan_revision ?? 0);
    if (order < 0) return false;
    const isEarlier = order === 0 && (view.applied_sequence ?? 0) < (known.applied_sequence ?? 0);
    const { applied_sequence, now_offset } = isEarlier ? known : view;
    this.view = { ...(order === 0 && planOf(known)), ...view, applied_sequence, now_offset };
    return true;
  }

  /**
   * Milliseconds until the next call; undefined when there is no next one.
   * @param {CallError} error
   * @param {Deadline} deadline
   */
  #pause(error, deadline) {
    if (["SESSION_SEQUENCE_GAP", "SESSION_EXISTS"].includes(error.reason)) this.#isStale = this.#isMissing = true;
    else if (error.reason === "SESSION_UNKNOWN") this.#isMissing = true;
    else return this.#drop(error) ? 0 : deadline.pause(error);
    this.#losses += 1;
    return this.#losses === 1 ? 0 : deadline.pause();
  }

  /**
   * Refuses updates that the server does not take, and sends their numbers only. Whether the next call is another one.
   * @param {CallError} error
   */
  #drop({ reason, message, mistakes }) {
    const isUnreadable = UNREADABLE.includes(reason);
    if (isUnreadable && this.#sent.length > 1) {
      this.#single = this.#sent.at(-1)?.sequence ?? 0;
      return true;
    }
    const found = isUnreadable ? [{ field: "updates[0].", reason, text: message }] : mistakes;
    const empty = this.#sent.flatMap((update, index) => {
      const path = `updates[${index}].`;
      const own = found.filter(({ field }) => field.startsWith(path));
      if (!own.length || Object.keys(update).length === 1) return [];
      const listed = own.map(({ field, reason, text }) => ({ field: field.slice(path.length), reason, description: text }));
      this.#refused.push({ sequence: update.sequence, mistakes: listed });
      return [update];
    });
    this.#kept = this.#kept.map((one) => (empty.includes(one) ? { sequence: one.sequence } : one));
    return empty.length > 0;
  }

  /** Takes a snapshot, and keeps only the updates after it. */
  async #ask() {
    try {
      const { snapshot, view } = await this.#client.call("SessionService/GetSession", this.#named, this.#routed({}));
      if (!snapshot || view?.epoch !== this.view.epoch) return;
      this.#snapshot = snapshot;
      this.#kept = this.#kept.filter((one) => (one.sequence ?? 0) > (snapshot.applied_sequence ?? 0));
    } catch {
      // The last snapshot is as good; the next update tries again.
    } finally {
      this.#asking = undefined;
    }
  }
}
