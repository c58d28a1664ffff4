/** When calls are made again after their server is lost, and for how long. */

/** @typedef {import('./error.js').CallError} CallError */

/** How unary calls are retried: as deploy/service-config.json has it. */
export const RETRIES = {
  maxAttempts: 5,
  initialBackoffMs: 50,
  maxBackoffMs: 1000,
  backoffMultiplier: 2,
  maxTokens: 100,
  tokenRatio: 0.5,
};

/** The time until a deadline. */
export class Deadline {
  #end;

  /** @param {number} ms Infinity: without a deadline */
  constructor(ms) {
    this.#end = performance.now() + ms;
  }

  /** Milliseconds until the deadline, at least 0. */
  left() {
    return Math.max(0, this.#end - performance.now());
  }

  /**
   * Milliseconds until the next call to another server; undefined when there is no next one.
   * @param {CallError} [error]
   */
  pause(error) {
    if (error && !error.isLost) return undefined;
    // Clients of a lost server must not all come back at the same moment.
    return this.fit(Math.max(20 + 180 * Math.random(), error?.retryDelayMs ?? 0));
  }

  /**
   * A pause that ends before the deadline.
   * @param {number} ms
   */
  fit(ms) {
    return ms < this.left() ? ms : undefined;
  }
}

/** Retries of unary calls. They end where more calls fail than succeed. */
export class Retries {
  #attemptsMax;
  #tokens = RETRIES.maxTokens;

  /** @param {number} attemptsMax */
  constructor(attemptsMax) {
    this.#attemptsMax = attemptsMax;
  }

  /** Counts a call that succeeded. */
  succeeded() {
    this.#tokens = Math.min(RETRIES.maxTokens, this.#tokens + RETRIES.tokenRatio);
  }

  /**
   * Milliseconds until the next attempt; undefined when there is no next one.
   * @param {CallError} error
   * @param {number} attempt the one that failed, from 1
   * @param {Deadline} deadline
   */
  pause(error, attempt, deadline) {
    if (error.code !== "UNAVAILABLE") return undefined;
    this.#tokens = Math.max(0, this.#tokens - 1);
    if (attempt >= this.#attemptsMax || this.#tokens <= RETRIES.maxTokens / 2) return undefined;
    const backoff = RETRIES.initialBackoffMs * RETRIES.backoffMultiplier ** (attempt - 1);
    const pause = Math.min(RETRIES.maxBackoffMs, backoff) * (0.8 + 0.4 * Math.random());
    return deadline.fit(error.retryDelayMs ?? pause);
  }
}

/**
 * Waits for a time, or until the other work ends. An abort is thrown.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @param {Promise<unknown>} [until] the other work
 */
export async function sleep(ms, signal, until) {
  signal?.throwIfAborted();
  /** @type {() => void} */
  let awake = () => {};
  await new Promise((resolve) => {
    // A timer of a longer time fires immediately.
    const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
    awake = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    signal?.addEventListener("abort", awake);
    until?.then(awake, awake);
  });
  signal?.removeEventListener("abort", awake);
  signal?.throwIfAborted();
}
