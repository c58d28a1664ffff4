// Plans two tasks, then follows the search for a plan of a file.
//
// Usage: node plan.js HOST:PORT PROBLEM.json

import { readFile } from "node:fs/promises";
import { create, fromJsonString } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  type AllocationPlan,
  type AllocationProblem,
  AllocationProblemSchema,
  AllocationService,
} from "./gen/stratagem/v1/allocation_pb.js";
import { SolveStatus, StopReason } from "./gen/stratagem/v1/solve_pb.js";

type Allocation = Client<typeof AllocationService>;

// A call without a deadline can wait without bound.
const timeoutMs = 20_000;

// A point in the plane.
function at(x: number, y: number) {
  return { at: { case: "point" as const, value: { x, y } } };
}

// Work of some seconds; 64-bit integers are of type bigint.
function task(id: string, place: ReturnType<typeof at>, seconds: bigint) {
  return { id, place, serviceDuration: { seconds } };
}

// A problem as in proto/examples/allocation.
async function read(path: string) {
  return fromJsonString(AllocationProblemSchema, await readFile(path, "utf8"));
}

// The tasks of each agent, in their order.
function print(plan: AllocationPlan) {
  for (const route of plan.routes) {
    const tasks = route.stops.map((stop) => `[${stop.taskId}]`);
    console.log(`${route.agentId}:`, ...tasks);
  }
}

// The best plan that is found by the deadline.
async function planTwoTasks(allocation: Allocation) {
  const problem = create(AllocationProblemSchema, {
    agents: [
      { id: "scout", start: at(0, 0) },
      { id: "ogre", start: at(9, 9) },
    ],
    tasks: [task("gate", at(3, 4), 5n), task("wall", at(8, 2), 20n)],
  });
  const options = { seed: 7n };
  const { plan, report } = await allocation.allocateTasks({ problem, options }, { timeoutMs });
  if (report) console.log("status", SolveStatus[report.status]);
  if (plan) print(plan);
}

// Better and better plans; the last message has the report.
async function follow(allocation: Allocation, problem: AllocationProblem) {
  const options = { seed: 7n, maxIterations: 300n };
  for await (const step of allocation.streamAllocateTasks({ problem, options }, { timeoutMs })) {
    console.log(`step ${step.event?.sequence}: ${step.plan?.routes.length ?? 0} routes`);
    if (step.report) console.log("end", StopReason[step.report.stopReason]);
  }
}

const [address, path] = process.argv.slice(2);
if (!address || !path) throw new Error("usage: node plan.js HOST:PORT PROBLEM.json");
// One transport for the whole process; https:// where the server or a proxy speaks TLS.
const transport = createGrpcTransport({ baseUrl: `http://${address}` });
const allocation = createClient(AllocationService, transport);
await planTwoTasks(allocation);
await follow(allocation, await read(path));
