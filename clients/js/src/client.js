/** The client. */

import { Best } from "./best.js";
import { Connection } from "./connection.js";
import { CallError } from "./error.js";
import { Jobs } from "./jobs.js";
import { Deadline, RETRIES, Retries, sleep } from "./retry.js";

/**
 * @typedef {object} CallOptions
 * @property {number} [timeoutMs] the deadline, in milliseconds; Infinity: without one; default: that of the client
 * @property {Record<string, string>} [headers] as in `x-request-id`
 * @property {AbortSignal} [signal] ends the call, and its search; its reason is thrown
 */

/**
 * A client of one server, or of several. Make one for the whole page or process.
 *
 * Unary calls are repeated while servers are UNAVAILABLE, within their deadline.
 */
export class Client {
  #connection;
  #retries;

  /**
   * Connects with the first call.
   * @param {string | string[]} [addresses] as in `http://127.0.0.1:50051`; of several, the next is called when one is lost
   *   or drains; default: the server of the page
   * @param {object} [options]
   * @param {string | (() => string | Promise<string>)} [options.token] sent with each call; a function is called for each.
   *   Send tokens over TLS only.
   * @param {number} [options.timeoutMs] the deadline of calls that name none; Infinity: without one
   * @param {number} [options.attemptsMax] how often a unary call is made at most
   * @param {typeof fetch} [options.fetch] what sends requests
   */
  constructor(addresses = "/", options = {}) {
    const { token = "", timeoutMs = 30_000, attemptsMax = RETRIES.maxAttempts } = options;
    this.#connection = new Connection(addresses, token, options.fetch);
    this.#retries = new Retries(attemptsMax);
    /** The deadline of calls that name none. */
    this.timeoutMs = timeoutMs;
    this.jobs = new Jobs(this, this.#connection);
  }

  /**
   * Connects now, so that no call has to: waits until a server answers.
   * @param {number} [timeoutMs]
   */
  async waitUntilReady(timeoutMs = 10_000) {
    const deadline = new Deadline(timeoutMs);
    for (;;) {
      try {
        const timeoutMs = Math.min(2_000, deadline.left());
        await this.#connection.message("ServerService/GetServerInfo", {}, { timeoutMs });
        return;
      } catch (error) {
        const pause = error instanceof CallError ? deadline.pause(error) : undefined;
        if (pause === undefined) throw error;
        await sleep(pause);
      }
    }
  }

  /**
   * Calls a method. A search returns its best plan before the deadline. A call that failed throws a `CallError`.
   * @template {import('../types/methods.js').Unary} M
   * @param {M} method
   * @param {import('../types/methods.js').Request<M>} request
   * @param {CallOptions} [options]
   * @returns {Promise<import('../types/methods.js').Response<M>>}
   */
  async call(method, request, options = {}) {
    const deadline = new Deadline(options.timeoutMs ?? this.timeoutMs);
    const message = repeatable(method, request);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#connection.message(method, message, { ...options, timeoutMs: deadline.left() });
        this.#retries.succeeded();
        return response;
      } catch (error) {
        const pause = error instanceof CallError ? this.#retries.pause(error, attempt, deadline) : undefined;
        if (pause === undefined) throw error;
        await sleep(pause, options.signal);
      }
    }
  }

  /**
   * Yields the responses of one server as they come. Leaving the loop ends the search.
   *
   * It ends with a `CallError` where the server is lost: `follow` continues at another one.
   * @template {import('../types/methods.js').Streaming} M
   * @param {M} method
   * @param {import('../types/methods.js').Request<M>} request
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<import('../types/methods.js').Response<M>, void, undefined>}
   */
  async *stream(method, request, options = {}) {
    yield* this.#connection.messages(method, request, { ...options, timeoutMs: options.timeoutMs ?? this.timeoutMs });
  }

  /**
   * Yields better and better plans; continues at another server when one is lost or drains.
   *
   * Each plan has a lower objective than the one before. The last response has the report, with the best plan of all servers;
   * without one when none arrives before the deadline. Errors: as of `stream`, but a lost server is one only where there is
   * no plan.
   * @template {import('../types/methods.js').Search} M
   * @param {M} method
   * @param {import('../types/methods.js').Request<M>} request
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<import('../types/methods.js').Response<M>, void, undefined>}
   */
  async *follow(method, request, options = {}) {
    const deadline = new Deadline(options.timeoutMs ?? this.timeoutMs);
    /** @type {Best<any>} */
    const best = new Best();
    const open = () => this.stream(method, request, { ...options, timeoutMs: deadline.left() });
    try {
      for await (const step of this.#connection.persist(open, deadline, options.signal)) {
        yield* best.take(step);
        if (best.ended) return;
      }
      yield* best.close();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      yield* best.close(error);
    }
  }
}

/**
 * The same request, with an id where it creates a job: calls are repeated after a loss.
 * @param {string} method
 * @param {any} request
 */
function repeatable(method, request) {
  if (method !== "JobService/CreateJob" || request.request_id) return request;
  // Unique is enough, and pages without TLS have no `crypto.randomUUID`.
  const part = () => Math.random().toString(36).slice(2);
  return { ...request, request_id: `${part()}${part()}${part()}` };
}
