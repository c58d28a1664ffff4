/**
 * Client of Stratagem, the planning service for games, for browsers and Node.
 *
 *     const client = new Client("http://127.0.0.1:50051");
 *     const { plan } = await client.call("AllocationService/AllocateTasks", { problem }, { timeoutMs: 250 });
 *     for await (const better of client.follow("AllocationService/StreamAllocateTasks", { problem })) draw(better.plan);
 *
 * Requests and responses are those of JSON, with the names of the contract.
 */

export { Client } from "./client.js";
export { CallError } from "./error.js";
export { Session } from "./session.js";

/** @typedef {import('../types/methods.js').Messages} Messages */
/** @typedef {import('../types/methods.js').Method} Method */
/** @typedef {import('../types/methods.js').Search} Search */
/** @typedef {import('../types/methods.js').Searching} Searching */
/** @typedef {import('../types/methods.js').Streaming} Streaming */
/** @typedef {import('../types/methods.js').Unary} Unary */
/** @typedef {import('./client.js').CallOptions} CallOptions */
/** @typedef {import('./error.js').Mistake} Mistake */
/** @typedef {import('./jobs.js').JobTerms} JobTerms */

/**
 * The request of a method.
 * @template {Method} M
 * @typedef {import('../types/methods.js').Request<M>} Request
 */

/**
 * The response of a method.
 * @template {Method} M
 * @typedef {import('../types/methods.js').Response<M>} Response
 */
