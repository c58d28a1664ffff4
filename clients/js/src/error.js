/** Why a call failed. */

/**
 * One mistake in a request.
 * @typedef {object} Mistake
 * @property {string} field the path in the request, as in `problem.tasks[3].windows[0].close_offset`
 * @property {string} reason a stable code of docs/reference/errors.md, as in `OUT_OF_RANGE`
 * @property {string} text a sentence for people
 */

/**
 * An error as the server writes it.
 * @typedef {object} Written
 * @property {string} [code]
 * @property {string} [message]
 * @property {string} [reason]
 * @property {Record<string, string>} [metadata]
 * @property {{field?: string, reason?: string, description?: string}[]} [violations]
 * @property {string} [retry_delay]
 */

/** Codes by which a call ends when its server, or a balancer on the path to it, is gone or silent. */
const LOST = new Set(["DEADLINE_EXCEEDED", "UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED"]);

/** Codes of answers that no server of Stratagem has sent, by their status. */
const CODES = new Map([
  [400, "INTERNAL"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "UNIMPLEMENTED"],
  [429, "UNAVAILABLE"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "UNAVAILABLE"],
]);

/**
 * A call failed. docs/reference/errors.md lists all reasons, and what to do about each.
 *
 * "No plan" is no error: the response has a report.
 */
export class CallError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Written & {requestId?: string, cause?: unknown}} [details]
   */
  constructor(code, message, details = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "CallError";
    /** The code of gRPC, as in `INVALID_ARGUMENT`. */
    this.code = code;
    /** A stable code, as in `QUOTA_EXCEEDED`. Empty where no server of Stratagem sent the error. */
    this.reason = details.reason ?? "";
    /** The parts of the text that vary, as in `quota`. */
    this.metadata = details.metadata ?? {};
    /** All mistakes in the request, up to 100. @type {Mistake[]} */
    this.mistakes = (details.violations ?? []).map(({ field = "", reason = "", description = "" }) => ({
      field,
      reason,
      text: description,
    }));
    /** Milliseconds after which the same call may succeed. Undefined where the server names no time. @type {number | undefined} */
    this.retryDelayMs = details.retry_delay === undefined ? undefined : 1000 * Number.parseFloat(details.retry_delay);
    /** The id of the call in the server's log. */
    this.requestId = details.requestId ?? "";
  }

  /** The text, and a line for each mistake. */
  toString() {
    const mistakes = this.mistakes.map(({ field, reason, text }) => `${field}: ${text} (${reason})`);
    return [`${this.reason || this.code}: ${this.message}`, ...mistakes].join("\n  ");
  }

  /** Whether the server is lost, and another call may reach one. */
  get isLost() {
    // A server that sends a reason is not lost. A call that is made again has its own deadline.
    const isKnown = !["", "DEADLINE_PASSED"].includes(this.reason);
    return LOST.has(this.code) && (this.code === "UNAVAILABLE" || !isKnown);
  }

  /**
   * @param {Written} written
   * @param {string} [requestId]
   */
  static from(written, requestId) {
    return new CallError(written.code ?? "UNKNOWN", written.message ?? "the call failed", { ...written, requestId });
  }

  /**
   * The error of a response whose status is none of success.
   * @param {globalThis.Response} response
   */
  static async fromResponse(response) {
    const requestId = requestIdOf(response);
    const text = await response.text();
    /** @type {Written | undefined} */
    let written;
    try {
      written = JSON.parse(text);
    } catch {
      // A balancer answers as it likes.
    }
    if (typeof written?.code === "string") return CallError.from(written, requestId);
    const seconds = response.headers.get("retry-after");
    const retry_delay = seconds && /^\d+$/.test(seconds) ? seconds : undefined;
    const code = CODES.get(response.status) ?? "UNKNOWN";
    return new CallError(code, `the server answered with status ${response.status}`, { requestId, retry_delay });
  }
}

/**
 * The id of a call in the server's log.
 * @param {globalThis.Response} response
 */
export function requestIdOf(response) {
  return response.headers.get("x-request-id") ?? "";
}
