// Files that are opened: our own JSON, and the foreign formats that pages can read without asking anybody.

import { plannerOf, PLANNERS } from "../planners.js";
import { read as levels, looksLike as isLevels } from "./levels.js";
import { read as network } from "./networks.js";
import { read as patrol } from "./patrols.js";
import { read as project, looksLike as isProject } from "./psplib.js";
import { read as routes, looksLike as isRoutes } from "./solomon.js";
import { read as tiles, looksLike as isTiles } from "./tiles.js";
import { read as customers, looksLike as isCustomers } from "./vrplib.js";

/** Beyond that no request would be taken. */
const BYTES_MAX = 16 << 20;

/**
 * @typedef {{planner: string, problem: any, note?: string}} Opened
 */

/**
 * The problem in a file.
 * @param {File} file
 * @param {string} planner the one that is chosen, for problems that do not say
 * @returns {Promise<Opened>}
 */
export async function opened(file, planner) {
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 16 MiB`);
  const text = (await file.text()).replace(/^\uFEFF/, "");
  return parsed(text, planner, file.name);
}

/**
 * The problem in a text.
 * @param {string} text
 * @param {string} planner
 * @param {string} name
 * @returns {Opened}
 */
export function parsed(text, planner, name) {
  if (text.trimStart().startsWith("{")) return ours(text, planner, name);
  if (isRoutes(text)) return { planner: "allocation", problem: routes(text) };
  if (isCustomers(text)) return { planner: "allocation", problem: customers(text) };
  if (isProject(text)) return { planner: "schedule", problem: project(text) };
  if (isLevels(text))
    return { planner: "puzzle", problem: levels(text), note: "The level can be played; Run makes others like it." };
  if (isTiles(text)) return { planner: "patrol", problem: tiles(text) };
  throw new Error(
    `${name} is neither JSON, Solomon's format, VRPLIB, PSPLIB, a level of Sokoban nor a map of tiles; \`stratagem convert\` reads more`,
  );
}

function ours(text, planner, name) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
  // JSON of others has bare numbers, and names that ours has not.
  const walked = patrol(value);
  const foreign = walked ? { planner: "patrol", problem: walked } : network(value);
  if (foreign) return foreign;
  // A problem in the union, or in a request.
  for (const known of Object.keys(PLANNERS)) {
    if (value[known] && typeof value[known] === "object" && !Array.isArray(value[known]))
      return { planner: known, problem: value[known] };
  }
  // A bundle names the method, and so the planner.
  const inner = value.request ?? value;
  const isAsked = ({ method }) => value.method?.endsWith(method.replace(/^.*\/(Stream)?/, ""));
  for (const [asked, { asks }] of Object.entries(PLANNERS)) {
    const ask = asks.find(isAsked);
    if (!ask) continue;
    const problem = inner.problem ?? inner;
    return { planner: asked, problem: ask.part ? { [ask.part]: problem } : problem };
  }
  const problem = inner.problem ?? inner;
  return { planner: plannerOf(problem) ?? planner, problem };
}
