// What each planner shows besides its picture.

import { PLANNERS } from "../planners.js";

/** Updates come this often at most, and pictures first. */
const PAUSE_MS = 60;

/**
 * @typedef {object} Around
 * @property {import("../stage.js").Stage} stage
 * @property {(extra?: any) => void} start searches again
 * @property {any} editor
 */

/** @type {Record<string, (root: HTMLElement, run: import("../run.js").Run, around: Around) => (() => void) | void>} */
const SPECIALS = {};

/**
 * Reads what is special to a planner, when it is chosen first.
 * @param {string} planner
 */
export async function ready(planner) {
  if (PLANNERS[planner]?.special) SPECIALS[planner] ??= (await import(`./${planner}.js`)).special;
}

/**
 * Takes away what a search has built into `root`; what it finds from now on is drawn there no more.
 * @param {HTMLElement} root
 */
export function clear(root) {
  root.run = undefined;
  root.replaceChildren();
}

/**
 * Builds what is special to the planner of a search into `root`, and keeps it up to date while the search goes on.
 * @param {HTMLElement} root
 * @param {import("../run.js").Run} run
 * @param {Around} around
 */
export async function special(root, run, around) {
  // What stays over several searches of one planner, such as sliders that are held, looks after itself.
  if (root.dataset.planner !== run.planner) root.replaceChildren();
  root.dataset.planner = run.planner;
  // A search that was overtaken by another one has nothing to show any more.
  root.run = run;
  await ready(run.planner);
  if (root.run !== run) return;
  const update = SPECIALS[run.planner]?.(root, run, around);
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
