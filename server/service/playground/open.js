// Files that are opened: bundles and requests of ours; everything else the server reads (docs/reference/formats.md).

import { client } from "./client.js";
import { plannerOf, PLANNERS } from "./planners.js";

/** Beyond that no request would be taken. */
const BYTES_MAX = 16 << 20;

/**
 * @typedef {{planner: string, problem: any, note?: string}} Opened
 */

/**
 * The problem in a file.
 * @param {File} file
 * @param {string} planner the one that is chosen, for documents that could be of several
 * @returns {Promise<Opened>}
 */
export async function opened(file, planner) {
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 16 MiB`);
  const content = (await file.text()).replace(/^\uFEFF/, "");
  const ours = asked(content, planner);
  if (ours) return ours;
  const read = await imported({ content, planner }).catch((error) => {
    throw new Error(`${file.name}: ${error.message}`);
  });
  return read.format === "sokoban" ? { ...read, note: "The level can be played; Run makes others like it." } : read;
}

/**
 * What the server reads.
 * @param {{content: string, planner?: string, format?: string}} request
 * @returns {Promise<Opened & {format: string}>}
 */
export async function imported(request) {
  try {
    const { problem: any, format } = await client.call("PlanningService/ImportProblem", request);
    const [[planner, problem]] = Object.entries(any);
    return { planner, problem, format };
  } catch (error) {
    const mistakes = (error.mistakes ?? []).map(({ text }) => text);
    throw mistakes.length ? new Error(mistakes.join("; ")) : error;
  }
}

/**
 * The problem in a bundle or in a request; nothing where the text is neither.
 * @param {string} text
 * @param {string} planner
 * @returns {Opened | undefined}
 */
export function asked(text, planner) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = value?.request ?? value;
  if (!value?.method && !inner?.problem) return undefined;
  // A bundle names the method, and so the planner.
  const isAsked = ({ method }) => value.method?.endsWith(method.replace(/^.*\/(Stream)?/, ""));
  const problem = inner.problem ?? inner;
  for (const [known, { asks }] of Object.entries(PLANNERS)) {
    const ask = asks.find(isAsked);
    if (ask) return { planner: known, problem: ask.part ? { [ask.part]: problem } : problem };
  }
  return { planner: plannerOf(problem) ?? planner, problem };
}
