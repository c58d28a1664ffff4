/** Searches that continue when their caller leaves. */

import { CallError } from "./error.js";
import { Deadline } from "./retry.js";

/** @typedef {import('../types/methods.js').Messages} Messages */
/** @typedef {import('./client.js').CallOptions} CallOptions */

/**
 * How a job is accepted.
 * @typedef {object} JobTerms
 * @property {string} [requestId] the same id with the same content is the same job; default: a random one, for each call
 * @property {Record<string, string>} [labels] for finding it again, at most 16
 * @property {number} [deadlineMs] time from now until it has to have ended; default: without limit
 * @property {number} [keepMs] time for which it is kept after its end; default: 24 h
 */

const FINAL = new Set(["JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_EXPIRED"]);

/** `Client.jobs` has it. */
export class Jobs {
  #client;
  #connection;

  /**
   * @param {import('./client.js').Client} client
   * @param {import('./connection.js').Connection} connection that of the client
   */
  constructor(client, connection) {
    this.#client = client;
    this.#connection = connection;
  }

  /**
   * Accepts a request to any method that searches. It waits for a server that has threads free.
   * @template {import('../types/methods.js').Searching} M
   * @param {M} method
   * @param {import('../types/methods.js').Request<M>} request
   * @param {JobTerms & CallOptions} [terms]
   */
  async create(method, request, { requestId, labels = {}, deadlineMs, keepMs, ...options } = {}) {
    const wanted = {
      request_id: requestId,
      request: { [member(method)]: request },
      labels: Object.entries(labels).map(([key, value]) => ({ key, value })),
      deadline_duration: duration(deadlineMs),
      keep_duration: duration(keepMs),
    };
    return jobOf(await this.#client.call("JobService/CreateJob", wanted, options));
  }

  /**
   * A job, with its response: the best plan so far, or all of it.
   * @param {string} jobId
   * @param {CallOptions} [options]
   */
  async get(jobId, options) {
    return jobOf(await this.#client.call("JobService/GetJob", { job_id: jobId }, options));
  }

  /**
   * Jobs without their responses, the newest first.
   * @param {Messages["ListJobsRequest"]} [filters]
   * @param {CallOptions} [options]
   */
  async *list(filters = {}, options) {
    /** @type {string | undefined} */
    let token = filters.page_token;
    do {
      const page = await this.#client.call("JobService/ListJobs", { ...filters, page_token: token }, options);
      yield* page.jobs ?? [];
      token = page.next_page_token;
    } while (token);
  }

  /**
   * Ends a job; the best plan so far becomes its response.
   * @param {string} jobId
   * @param {CallOptions} [options]
   */
  async cancel(jobId, options) {
    return jobOf(await this.#client.call("JobService/CancelJob", { job_id: jobId }, options));
  }

  /**
   * Deletes a job that has ended.
   * @param {string} jobId
   * @param {CallOptions} [options]
   */
  async delete(jobId, options) {
    await this.#client.call("JobService/DeleteJob", { job_id: jobId }, options);
  }

  /**
   * Yields the events of a job until it has ended, each once and in order.
   *
   * It continues after the last event when a connection or a server is lost, for `timeoutMs`, by default without limit.
   * The last event has the response, or the error of the job.
   * @param {string} jobId
   * @param {{afterSequence?: number} & CallOptions} [options]
   */
  async *watch(jobId, { afterSequence = 0, timeoutMs = Number.POSITIVE_INFINITY, ...options } = {}) {
    const deadline = new Deadline(timeoutMs);
    let sequence = afterSequence;
    const open = () => {
      // Each stream lasts for the deadline of the client, at least 30 s: then the next one continues after the last event,
      // at another server where this one has frozen.
      const left = Math.min(deadline.left(), Math.max(this.#client.timeoutMs, 30_000));
      const request = { job_id: jobId, after_sequence: sequence };
      return this.#client.stream("JobService/WatchJob", request, { ...options, timeoutMs: left });
    };
    for await (const { event = {} } of this.#connection.persist(open, deadline, options.signal)) {
      sequence = event.sequence ?? sequence;
      yield event;
      if (FINAL.has(event.state ?? "")) return;
    }
    throw new CallError("DEADLINE_EXCEEDED", `job ${jobId} has not ended within ${timeoutMs} ms`);
  }
}

/**
 * The field of a `JobRequest` and of a `JobResponse` that a method has.
 * @param {string} method
 */
function member(method) {
  const name = method.replace(/^.*\/(Stream)?/, "");
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** @param {number | undefined} ms */
function duration(ms) {
  return ms === undefined ? undefined : `${(ms / 1000).toFixed(6)}s`;
}

/**
 * @param {{job?: Messages["Job"]}} response
 * @returns {Messages["Job"]}
 */
function jobOf(response) {
  return response.job ?? {};
}
