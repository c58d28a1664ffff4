/** Calls in JSON over HTTP (docs/http.md), to one server of several. */

import { CallError } from "./error.js";

/**
 * How a call is made.
 * @typedef {object} Terms
 * @property {number} timeoutMs its deadline; Infinity: without one
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal] ends it
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
   * @param {string} address the server that is lost or drains
   */
  leave(address) {
    if (this.address === address) this.#at = (this.#at + 1) % this.#addresses.length;
  }

  /**
   * The text of a response, in pieces as they come. Leaving it ends the call.
   * @param {string} method
   * @param {unknown} request
   * @param {Terms} terms
   */
  async *pieces(method, request, { timeoutMs, headers, signal }) {
    const address = this.address;
    const body = JSON.stringify(request);
    const all = await this.#headers(timeoutMs);
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value);
    signal?.throwIfAborted();
    const ending = new Ending(timeoutMs, signal);
    let reader;
    try {
      const url = `${address}/stratagem.v1.${method}`;
      const response = await this.#fetch(url, { method: "POST", headers: all, body, signal: ending.signal });
      if (!response.ok || !response.body) throw await CallError.fromResponse(response);
      reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (let read = await reader.read(); !read.done; read = await reader.read())
        yield decoder.decode(read.value, { stream: true });
    } catch (cause) {
      // A server that does not answer in time may be frozen: the next call goes to another one.
      if (ending.isLate) this.leave(address);
      if (ending.signal.aborted) throw ending.signal.reason;
      const error = cause instanceof CallError ? cause : new CallError("UNAVAILABLE", `the server at ${address} does not answer`, { cause });
      if (error.code === "UNAVAILABLE") this.leave(address);
      throw error;
    } finally {
      reader?.cancel().catch(() => {});
      ending.close();
    }
  }

  /**
   * The messages of a stream, as they come.
   * @param {string} method
   * @param {unknown} request
   * @param {Terms} terms
   */
  async *messages(method, request, terms) {
    const address = this.address;
    /** @param {string} line */
    const read = (line) => {
      const { result, error } = parsed(line);
      if (!error) return result;
      const failed = CallError.from(error);
      if (failed.code === "UNAVAILABLE") this.leave(address);
      throw failed;
    };
    /** Parts of a line that has not ended: joined once, or a long line would be copied for each part. @type {string[]} */
    let parts = [];
    for await (const piece of this.pieces(method, request, terms)) {
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

  /** @param {number} timeoutMs */
  async #headers(timeoutMs) {
    const headers = new Headers({ "content-type": "application/json" });
    const token = typeof this.#token === "function" ? await this.#token() : this.#token;
    if (token) headers.set("authorization", `Bearer ${token}`);
    if (timeoutMs < Number.POSITIVE_INFINITY) headers.set("connect-timeout-ms", String(Math.max(1, Math.floor(Math.min(timeoutMs, TIMEOUT_MAX_MS)))));
    return headers;
  }
}

/** What ends a call: its deadline, its caller, or its last byte. */
class Ending {
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
    this.#given = given;
    given?.addEventListener("abort", this.#abort);
    const late = () => {
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

  close() {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}

/**
 * A response from its text.
 * @param {string} text
 */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError("UNKNOWN", "the response is no JSON, or was cut off", { cause });
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
