// The server that this page comes from.

import { Client } from "./stratagem/index.js";

let token = "";

/**
 * The token of all calls; kept for as long as the page is open and nowhere else.
 * @param {string} given
 */
export function authorize(given) {
  token = given.trim();
}

/** Searches end by their budget or by a button: calls have no deadline. */
export const client = new Client("/", { token: () => token, timeoutMs: Number.POSITIVE_INFINITY });
