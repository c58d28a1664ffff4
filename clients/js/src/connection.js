/** Calls in JSON over HTTP (docs/http.md), to one server of several. */

import { CallError, requestIdOf } from "./error.js";
import { Deadline, sleep } from "./retry.js";

/**
 * How a call is made.
 * @typedef {object} Terms
 * @property {number} timeoutMs its deadline; Infinity: without one
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal] ends it
 */

/**
 * A call that was sent.
 * @typedef {object} Sent
 * @property {string} [address] the server
 * @property {string} [requestId] the id of the call in the server's log, once there is a response
 */

/** The longest deadline that is sent: the header has eight digits. */
const TIMEOUT_MAX_MS = 99_999_999;

/** The addresses of the servers, and the one that is called. */
export class Connection {
  #addresses;
  #at = 0;
  #token;
  #fetch;

  /**
   * @param {string | string[]} addresses
   * @param {string | (() => string | Promise<string>)} token
   * @param {typeof fetch} [given]
   */
  constructor(addresses, token, given) {
    this.#addresses = [addresses].flat().map(base);
    this.#token = token;
    this.#fetch = given ?? ((/** @type {Parameters<typeof fetch>} */ ...call) => fetch(...call));
    if (!this.#addresses.length) throw new TypeError("addresses must have at least one element");
  }

  /** The server that is called. */
  get address() {
    return /** @type {string} */ (this.#addresses[this.#at]);
  }

  /**
   * Calls another server from now on, where there is one.
   * @param {string} [address] the server that is lost or drains
   */
  leave(address) {
    if (this.address === address) this.#at = (this.#at + 1) % this.#addresses.length;
  }

  /**
   * The text of a response, in pieces as they come. Leaving it ends the call.
   * @param {string} method
   * @param {unknown} request
   * @param {Terms} terms
   * @param {Sent} [sent] what is known once the call is sent
   */
  async *pieces(method, request, { timeoutMs, headers, signal }, sent = {}) {
    const body = JSON.stringify(request);
    signal?.throwIfAborted();
    // Before the token arrives: `persist` reads the address when it opens the stream.
    sent.address = this.address;
    const ending = new Ending(timeoutMs, signal);
    try {
      const all = await ending.before(this.#headers(ending.deadline, headers));
      yield* this.#read(method, { method: "POST", headers: all, body, signal: ending.signal }, ending, sent);
    } finally {
      ending.close();
    }
  }

  /**
   * @param {string} method
   * @param {RequestInit} request
   * @param {Ending} ending
   * @param {Sent} sent
   */
  async *#read(method, request, ending, sent) {
    const { address } = sent;
    let reader;
    try {
      const response = await this.#fetch(`${address}/stratagem.v1.${method}`, request);
      sent.requestId = requestIdOf(response);
      if (!response.ok || !response.body) throw await CallError.fromResponse(response);
      reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (let read = await reader.read(); !read.done; read = await reader.read())
        yield decoder.decode(read.value, { stream: true });
    } catch (cause) {
      const { requestId = "" } = sent;
      if (ending.isLate) {
        // A server that does not answer in time may be frozen: the next call goes to another one.
        this.leave(address);
        ending.signal.reason.requestId = requestId;
      }
      if (ending.signal.aborted) throw ending.signal.reason;
      const error = cause instanceof CallError ? cause : new CallError("UNAVAILABLE", `the server at ${address} does not answer`, { cause, requestId });
      if (error.code === "UNAVAILABLE") this.leave(address);
      throw error;
    } finally {
      reader?.cancel().catch(() => {});
    }
  }

  /**
   * The response of a unary method.
   * @param {string} method
   * @param {unknown} request
   * @param {Terms} terms
   */
  async message(method, request, terms) {
    /** @type {Sent} */
    const sent = {};
    let text = "";
    for await (const piece of this.pieces(method, request, terms, sent)) text += piece;
    return parsed(text, sent);
  }

  /**
   * The messages of a stream, as they come.
   * @param {string} method
   * @param {unknown} request
   * @param {Terms} terms
   */
  async *messages(method, request, terms) {
    /** @type {Sent} */
    const sent = {};
    /** @param {string} line */
    const read = (line) => {
      const { result, error } = parsed(line, sent);
      if (!error) return result;
      const failed = CallError.from(error, sent.requestId);
      if (failed.code === "UNAVAILABLE") this.leave(sent.address);
      throw failed;
    };
    /** Parts of a line that has not ended: joined once, or a long line would be copied for each part. @type {string[]} */
    let parts = [];
    for await (const piece of this.pieces(method, request, terms, sent)) {
      const [end = "", ...lines] = piece.split("\n");
      parts.push(end);
      for (const next of lines) {
        const line = parts.join("");
        parts = [next];
        if (line) yield read(line);
      }
    }
    const line = parts.join("");
    if (line) yield read(line);
  }

  /**
   * The messages of one stream after another until the caller leaves: another server is called when one is lost, or ends
   * its stream. It ends when no time is left, with the error of the last stream.
   * @template T
   * @param {() => AsyncIterable<T>} open begins a stream
   * @param {Deadline} deadline
   * @param {AbortSignal} [signal]
   */
  async *persist(open, deadline, signal) {
    for (;;) {
      let lost;
      const { address } = this;
      try {
        yield* open();
        this.leave(address);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        lost = error;
        if (lost.isLost) this.leave(address);
      }
      const pause = deadline.pause(lost);
      if (pause === undefined && lost) throw lost;
      if (pause === undefined) return;
      await sleep(pause, signal);
    }
  }

  /**
   * @param {Deadline} deadline
   * @param {Record<string, string>} [given]
   */
  async #headers(deadline, given = {}) {
    const headers = new Headers({ "content-type": "application/json" });
    const token = typeof this.#token === "function" ? await this.#token() : this.#token;
    if (token) headers.set("authorization", `Bearer ${token}`);
    const timeoutMs = Math.min(deadline.left(), TIMEOUT_MAX_MS);
    if (deadline.left() < Number.POSITIVE_INFINITY) headers.set("connect-timeout-ms", String(Math.max(1, Math.floor(timeoutMs))));
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
    return headers;
  }
}

/** What ends a call: its deadline, its caller, or its last byte. */
class Ending {
  deadline;
  #controller = new AbortController();
  /** Whether its deadline has ended it. */
  isLate = false;
  #timer;
  #given;

  /**
   * @param {number} timeoutMs
   * @param {AbortSignal} [given]
   */
  constructor(timeoutMs, given) {
    this.deadline = new Deadline(timeoutMs);
    this.#given = given;
    given?.addEventListener("abort", this.#abort);
    const late = () => {
      // The reason of the caller is kept.
      if (this.signal.aborted) return;
      this.isLate = true;
      this.#controller.abort(new CallError("DEADLINE_EXCEEDED", `no answer within ${Math.round(timeoutMs)} ms`));
    };
    const isLimited = timeoutMs < Number.POSITIVE_INFINITY;
    this.#timer = isLimited ? setTimeout(late, Math.min(timeoutMs, TIMEOUT_MAX_MS)) : undefined;
  }

  get signal() {
    return this.#controller.signal;
  }

  #abort = () => this.#controller.abort(this.#given?.reason);

  /**
   * A result, if it is there before the end.
   * @template T
   * @param {Promise<T>} result
   * @returns {Promise<T>}
   */
  before(result) {
    const { signal } = this;
    const ended = new Promise((_, reject) => {
      const end = () => reject(signal.reason);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    return Promise.race([result, ended]);
  }

  close() {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}

/**
 * A response from its text.
 * @param {string} text
 * @param {Sent} sent
 */
function parsed(text, { requestId }) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError("UNKNOWN", "the response is no JSON, or was cut off", { cause, requestId });
  }
}

/**
 * An address without the slash at its end. Pages may give one of their own server, as in `/`.
 * @param {string} address
 */
function base(address) {
  const { href, protocol } = new URL(address, globalThis.location?.href);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`the address must begin with http:// or https://, got ${address}`);
  return href.replace(/\/+$/, "");
}
