// Responses with several pictures: alternative plans, trade-offs of one plan, and results of weaker checks.

import { client } from "./client.js";

/**
 * @typedef {object} Frame
 * @property {any} plan undefined where only a conflict is drawn
 * @property {any} [detail]
 * @property {any} [objective]
 * @property {string} label text below the picture
 * @property {boolean} [isResult] whether it is a result of the method, to be verified
 */

/** The number of choices of a plan with fronts: joint points, and the points of each front of each event. */
export function choiceCount(plan) {
  const fronts = (plan.events ?? []).flatMap((event) => event.fronts ?? []);
  const points = fronts.reduce((sum, front) => sum + (front.points ?? []).length, 0);
  return (plan.joint?.points ?? []).length + points;
}

/**
 * A picture for each choice of a plan with fronts. The plan is verified once.
 * @param {string} field the field of `PictureDetail` for the choice
 */
export function frontFrames(field) {
  return ({ plan, report }) => {
    if (!plan) return [];
    const count = choiceCount(plan);
    return Array.from({ length: Math.max(count, 1) }, (_, i) => ({
      plan,
      detail: { [field]: i },
      objective: report?.objective,
      label: `trade-off ${i + 1} of ${count}`,
      isResult: i === 0,
    }));
  };
}

/** A picture for each of several diverse patrols. */
export function patrolFrames({ plans = [] }) {
  return plans.map(({ plan, evaluation }, i) => ({
    plan,
    detail: evaluation && { patrol_evaluation: evaluation },
    label: `patrol ${i + 1} of ${plans.length}`,
    isResult: true,
  }));
}

/** A picture for each of several diverse stories. */
export function storyFrames({ plans = [] }) {
  return plans.map((plan, i) => ({ plan, label: `story ${i + 1} of ${plans.length}`, isResult: true }));
}

/** Ids of uncontrollable events, which pictures leave out. */
function uncontrollable({ agents = [], events = [], contingent_links: links = [] }) {
  const uncontrolled = new Set(agents.filter((one) => one.kind === "TEMPORAL_AGENT_KIND_UNCONTROLLABLE").map((one) => one.id));
  const ids = events.filter((event) => uncontrolled.has(event.agent_id)).map((event) => event.id);
  return new Set([...ids, ...links.map((link) => link.to_event_id)]);
}

/** A picture of consistent times, of controllable times or of the conflict. */
export function networkFrames({ plan, conflict, weaker }, problem) {
  if (weaker) {
    const hidden = uncontrollable(problem);
    const events = (weaker.plan.events ?? []).filter((one) => !hidden.has(one.event_id));
    return [{ plan: { events }, label: "consistent times" }];
  }
  if (plan) return [{ plan, label: "times valid for all durations", isResult: true }];
  if (conflict) return [{ plan: undefined, detail: { temporal_conflict: conflict }, label: "conflict" }];
  return [];
}

/**
 * Checks the consistency of a network, before its controllability.
 * @param {any} request
 * @param {AbortSignal} signal
 */
export async function* consistency({ problem, options: { strategy: _, ...options } }, signal) {
  const request = { problem, options, levels: ["TEMPORAL_CONTROLLABILITY_LEVEL_CONSISTENT"], detail: { with_conflict: false, max_relaxations: 0 } };
  const { findings: [found] = [] } = await client.call("TemporalService/CheckControllability", request, { signal });
  if (found?.plan) yield { weaker: found };
}

/** The ending of a simulated heist. */
async function ending(world, interventions) {
  const request = { problem: world, interventions, options: { priority: "PRIORITY_LOW" } };
  let end;
  for await (const message of client.stream("HeistService/SimulateHeist", request)) end = message.end ?? end;
  return end?.ending;
}

/**
 * Verifies a level by simulation: the burglar loses without help and wins with the help of the plan.
 * @param {any} level
 * @param {import("./run.js").Run} run
 */
export async function verifyBySimulation(level, run) {
  // Without `simulate` the level has no simulations to compare with.
  if (run.request().simulate === false) return undefined;
  const [alone, helped] = await Promise.all([ending(level.world, []), ending(level.world, level.help ?? [])]);
  const valid = alone !== "HEIST_ENDING_WON" && helped === "HEIST_ENDING_WON";
  const message = `the simulation ends with ${alone} without help and with ${helped} with it`;
  return { valid, simulated: true, violations: valid ? [] : [{ field: "plan", message }] };
}
