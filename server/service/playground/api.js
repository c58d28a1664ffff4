// Calls in JSON: one document, or one line for each message of a stream (docs/http.md).

/** A call that got no answer. */
export class CallError extends Error {
  /** @param {{code?: string, message?: string, reason?: string, violations?: {field: string, reason: string, description: string}[]}} error */
  constructor(error) {
    super(error.message || "the server does not answer");
    this.code = error.code ?? "UNAVAILABLE";
    this.reason = error.reason ?? "";
    this.violations = error.violations ?? [];
  }
}

let token = "";

/**
 * What calls carry to say who calls; kept for as long as the page is open and nowhere else.
 * @param {string} given
 */
export function authorize(given) {
  token = given.trim();
}

/**
 * @param {string} method as in `PlanningService/VerifyPlan`
 * @param {unknown} message
 * @param {AbortSignal} [signal]
 */
async function post(method, message, signal) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`/stratagem.v1.${method}`, {
      method: "POST",
      headers,
      body: JSON.stringify(message),
      signal,
      credentials: "same-origin",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError({ message: "the server does not answer: is it still running?" });
  }
  if (response.ok) return response;
  const text = await response.text();
  let error;
  try {
    error = JSON.parse(text);
  } catch {
    error = { message: `the server answered with status ${response.status}` };
  }
  throw new CallError(error);
}

/**
 * The answer of a method that does not stream.
 * @param {string} method
 * @param {unknown} message
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(method, message, signal) {
  return (await post(method, message, signal)).json();
}

/**
 * The messages of a method that streams, as they come.
 * @param {string} method
 * @param {unknown} message
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any>}
 */
export async function* stream(method, message, signal) {
  const response = await post(method, message, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  // Pieces of a line that has not ended: joined once, or a line of many pieces would be copied as often.
  let pieces = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = value.split("\n");
      pieces.push(lines.shift());
      for (const next of lines) {
        const line = pieces.join("");
        pieces = [next];
        if (line) yield of(line);
      }
    }
    if (pieces.join("")) yield of(pieces.join(""));
  } finally {
    // Whoever wants no more of it lets go of the call; one that has ended needs nothing.
    reader.cancel().catch(() => {});
  }
}

function of(line) {
  const { result, error } = JSON.parse(line);
  if (error) throw new CallError(error);
  return result;
}
