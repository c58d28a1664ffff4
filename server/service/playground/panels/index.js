// What planners show besides their pictures.

import { PLANNERS } from "../planners.js";

/** Shortest time between two updates. */
const PAUSE_MS = 60;

/**
 * @typedef {object} Context
 * @property {import("../stage.js").Stage} stage
 * @property {(extra?: any) => void} start searches again
 * @property {any} editor
 */

/** @type {Record<string, (root: HTMLElement, run: import("../run.js").Run, context: Context) => (() => void) | void>} */
const PANELS = {};

/**
 * Loads the module of a planner, if it has one.
 * @param {string} planner
 */
export async function loadPanel(planner) {
  if (PLANNERS[planner]?.panel) PANELS[planner] ??= (await import(`./${planner}.js`)).panel;
}

/**
 * Empties `root`. Later updates of the search are not drawn.
 * @param {HTMLElement} root
 */
export function clear(root) {
  root.run = undefined;
  root.replaceChildren();
}

/**
 * Fills `root` for the planner of a search, and updates it while the search runs.
 * @param {HTMLElement} root
 * @param {import("../run.js").Run} run
 * @param {Context} context
 */
export async function showPanel(root, run, context) {
  // Modules decide what stays for the next search of the planner, such as a slider that is being dragged.
  if (root.dataset.planner !== run.planner) root.replaceChildren();
  root.dataset.planner = run.planner;
  // Only the newest search is shown.
  root.run = run;
  await loadPanel(run.planner);
  if (root.run !== run) return;
  const update = PANELS[run.planner]?.(root, run, context);
  if (!update) {
    root.replaceChildren();
    return;
  }
  let waiting = 0;
  const now = () => {
    waiting = 0;
    if (root.run === run) update();
  };
  const soon = () => {
    waiting ||= setTimeout(now, PAUSE_MS);
  };
  run.addEventListener("better", soon);
  run.addEventListener("end", now);
  run.addEventListener("chosen", now);
  if (!run.running) now();
  else soon();
}
