/**
 * A raid in a game loop: planned again in each tick, within a part of the tick.
 *
 * Usage: node raid-loop.js [ADDRESS]
 */

import { CallError, Client } from "stratagem";

/** @typedef {import("stratagem").Messages} Messages */

/** Milliseconds. A call returns within `PLANNING_MS`, with the best plan so far. */
const TICK_MS = 100;
const PLANNING_MS = 50;
const TICKS = 8;
/** Seconds of the game that pass in a tick. */
const PACE_S = 5;

/** A point in the plane. @type {(x: number, y: number) => Messages["AllocationPlace"]} */
const at = (x, y) => ({ point: { x, y } });

/** Work of four seconds. @type {(id: string, x: number, y: number) => Messages["AllocationTask"]} */
const task = (id, x, y) => ({ id, place: at(x, y), service_duration: "4s" });

/** @type {Messages["AllocationProblem"]} */
const raid = {
  agents: [
    { id: "scout", start: at(0, 0), speed: 2 },
    { id: "ogre", start: at(9, 9) },
  ],
  tasks: [task("gate", 3, 4), task("wall", 8, 2), task("tower", 1, 8), task("store", 6, 6)],
};
/** What the players do: a task for each tick in which there is a new one. */
const news = new Map([
  [3, task("dragon", 5, 9)],
  [5, task("treasure", 9, 5)],
]);

/**
 * The plan as the next request takes it: a start for the search, and what is under way.
 * @param {Messages["AllocationPlan"]} plan
 * @param {number} now seconds
 */
function carriedOut({ routes = [] }, now) {
  return {
    routes: routes.map(({ agent_id, stops = [] }) => {
      const done = stops.filter((stop) => Number.parseFloat(stop.departure_offset ?? "0s") <= now).length;
      // An agent that is done with a task is on the path to the next one.
      const started_count = Math.min(done + 1, stops.length);
      return { agent_id: agent_id ?? "", task_ids: stops.map((stop) => stop.task_id ?? ""), started_count };
    }),
  };
}

const client = new Client(process.argv[2] ?? "http://127.0.0.1:50051");
// Not in the first tick, whose time it would use up.
await client.waitUntilReady();
/** @type {Messages["AllocationPlan"]} */
let plan = {};
for (let tick = 0; tick < TICKS; tick += 1) {
  const begin = performance.now();
  const now = tick * PACE_S;
  const added = news.get(tick);
  if (added) raid.tasks?.push(added);
  /** @type {Messages["AllocationProblem"]} */
  const problem = { ...raid, now_offset: `${now}s` };
  if (plan.routes) problem.previous_plan = carriedOut(plan, now);
  try {
    const answer = await client.call("AllocationService/AllocateTasks", { problem }, { timeoutMs: PLANNING_MS });
    plan = answer.plan ?? {};
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.log(`the plan of the last tick is used: ${error}`);
  }
  const routes = (plan.routes ?? []).map(({ agent_id, stops = [] }) => [agent_id, stops.map((stop) => stop.task_id)]);
  console.log(`tick ${tick}: ${JSON.stringify(Object.fromEntries(routes))}`);
  await new Promise((resolve) => setTimeout(resolve, begin + TICK_MS - performance.now()));
}
