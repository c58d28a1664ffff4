// Opens files: bundles and requests here, all other formats on the server (docs/reference/formats.md).

import { client } from "./client.js";
import { plannerOf, PLANNERS } from "./planners.js";

/** The server's limit of a request. */
const BYTES_MAX = 16 << 20;

/**
 * @typedef {{planner: string, problem: any, note?: string}} Opened
 */

/**
 * The problem in a file.
 * @param {File} file
 * @param {string} planner the chosen one, for files that do not name theirs
 * @returns {Promise<Opened>}
 */
export async function openFile(file, planner) {
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 16 MiB`);
  const content = (await file.text()).replace(/^\uFEFF/, "");
  const own = problemOfRequest(content, planner);
  if (own) return own;
  const read = await importProblem({ content, planner }).catch((error) => {
    throw new Error(`${file.name}: ${error.message}`);
  });
  return read.format === "sokoban" ? { ...read, note: "The level can be played. Run generates similar levels." } : read;
}

/**
 * The problem of a file that the server reads.
 * @param {{content: string, planner?: string, format?: string}} request
 * @returns {Promise<Opened & {format: string}>}
 */
export async function importProblem(request) {
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
 * The problem of a bundle or a request; undefined if the text is neither.
 * @param {string} text
 * @param {string} planner
 * @returns {Opened | undefined}
 */
export function problemOfRequest(text, planner) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = value?.request ?? value;
  if (!value?.method && !inner?.problem) return undefined;
  // A bundle names its method.
  const isMethod = ({ rpc }) => value.method?.endsWith(rpc.replace(/^.*\/(Stream)?/, ""));
  const problem = inner.problem ?? inner;
  for (const [name, { methods }] of Object.entries(PLANNERS)) {
    const found = methods.find(isMethod);
    if (found) return { planner: name, problem: found.part ? { [found.part]: problem } : problem };
  }
  return { planner: plannerOf(problem) ?? planner, problem };
}
