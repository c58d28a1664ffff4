// The client of the page's own server.

import { Client } from "./stratagem/index.js";

let token = "";

/**
 * Sets the token of all calls. It is stored only in this page, until the page is closed.
 * @param {string} given
 */
export function authorize(given) {
  token = given.trim();
}

/** Calls have no deadline: a search ends by its budget or by Stop. */
export const client = new Client("/", { token: () => token, timeoutMs: Number.POSITIVE_INFINITY });
