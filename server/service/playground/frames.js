// What one answer has to look at: several plans, or sides of one; and answers to weaker questions that can be had before.

import { client } from "./client.js";

/**
 * @typedef {object} Frame
 * @property {any} plan nothing where only what clashes is drawn
 * @property {any} [detail]
 * @property {any} [objective]
 * @property {string} label what it is, for the line below the picture
 * @property {boolean} [counts] whether it is an answer, and checked
 */

/** How many choices a plan with fronts has, in the order of the contract: joint points first, then each front of each event. */
export function choiceCount(plan) {
  const fronts = (plan.events ?? []).flatMap((event) => event.fronts ?? []);
  const points = fronts.reduce((sum, front) => sum + (front.points ?? []).length, 0);
  return (plan.joint?.points ?? []).length + points;
}

/**
 * Every choice of a plan with fronts is another picture; the plan that is checked is all of them.
 * @param {string} field what a `PictureDetail` calls the choice
 */
export function frontier(field) {
  return ({ plan, report }) => {
    if (!plan) return [];
    const count = choiceCount(plan);
    return Array.from({ length: Math.max(count, 1) }, (_, i) => ({
      plan,
      detail: { [field]: i },
      objective: report?.objective,
      label: `trade-off ${i + 1} of ${count}`,
      counts: i === 0,
    }));
  };
}

/** Patrols that differ. */
export function variants({ plans = [] }) {
  return plans.map(({ plan, evaluation }, i) => ({
    plan,
    detail: evaluation && { patrol_evaluation: evaluation },
    label: `patrol ${i + 1} of ${plans.length}`,
    counts: true,
  }));
}

/** Stories that differ. */
export function differs({ plans = [] }) {
  return plans.map((plan, i) => ({ plan, label: `story ${i + 1} of ${plans.length}`, counts: true }));
}

/** Ids of events that others decide: pictures have our times only. */
function others({ agents = [], events = [], contingent_links: links = [] }) {
  const alien = new Set(agents.filter((one) => one.kind === "TEMPORAL_AGENT_KIND_UNCONTROLLABLE").map((one) => one.id));
  const theirs = events.filter((event) => alien.has(event.agent_id)).map((event) => event.id);
  return new Set([...theirs, ...links.map((link) => link.to_event_id)]);
}

/** Times that hold, or what clashes. */
export function findings({ plan, conflict, weaker }, problem) {
  if (weaker) {
    const not = others(problem);
    const events = (weaker.plan.events ?? []).filter((one) => !not.has(one.event_id));
    return [{ plan: { events }, label: "consistent times" }];
  }
  if (plan) return [{ plan, label: "times that hold whatever happens", counts: true }];
  if (conflict) return [{ plan: undefined, detail: { temporal_conflict: conflict }, label: "what clashes" }];
  return [];
}

/**
 * The weaker question of a network, which is answered first: are there any times at all?
 * @param {any} request
 * @param {AbortSignal} signal
 */
export async function* levels({ problem, options: { strategy: _, ...options } }, signal) {
  const asked = { problem, options, levels: ["TEMPORAL_CONTROLLABILITY_LEVEL_CONSISTENT"], detail: { with_conflict: false, max_relaxations: 0 } };
  const { findings: [found] = [] } = await client.call("TemporalService/CheckControllability", asked, { signal });
  if (found?.plan) yield { weaker: found };
}

/** How a game ends. */
async function ending(world, interventions) {
  const asked = { problem: world, interventions, options: { priority: "PRIORITY_LOW" } };
  let end;
  for await (const message of client.stream("HeistService/SimulateHeist", asked)) end = message.end ?? end;
  return end?.ending;
}

/**
 * Plays a level: the burglar must lose alone and win with the help of the plan.
 * @param {any} level
 * @param {import("./run.js").Run} run
 */
export async function played(level, run) {
  // Without `simulate` the level has no games to compare with.
  if (run.request().simulate === false) return undefined;
  const [alone, helped] = await Promise.all([ending(level.world, []), ending(level.world, level.help ?? [])]);
  const valid = alone !== "HEIST_ENDING_WON" && helped === "HEIST_ENDING_WON";
  const message = `alone it ends with ${alone}, with help ${helped}`;
  return { valid, played: true, violations: valid ? [] : [{ field: "plan", message }] };
}
