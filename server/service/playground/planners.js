// The planners: their methods, and where requests and responses have problem, plan and the rest.

import { consistency, frontFrames, networkFrames, patrolFrames, storyFrames, verifyBySimulation } from "./frames.js";

/**
 * A method of a planner.
 * @typedef {object} Method
 * @property {string} name
 * @property {string} title
 * @property {string} rpc its name in the contract
 * @property {boolean} [streams] whether it sends better and better plans
 * @property {string} [part] the field of the edited problem that is the problem of the request; default: all of it
 * @property {string} request the message of the request, which may have further fields
 * @property {string | null} [kind] the field of `Plan` for its plans; default: the planner's name; null where plans are drawn as problems
 * @property {(answer: any) => any} plan
 * @property {(answer: any) => any} [detail] a `PictureDetail` to draw with the plan
 * @property {(answer: any) => any[]} [relaxations]
 * @property {(answer: any, problem: any) => any[]} [frames] the pictures of a response: several plans, or trade-offs of one
 * @property {(request: any, signal: AbortSignal) => AsyncGenerator<any>} [before] results of weaker checks, before the call
 * @property {(plan: any, run: any) => Promise<any>} [verify] verifies plans that `VerifyPlan` does not know
 */

/**
 * @typedef {object} Planner
 * @property {string} title
 * @property {string} message message of the problem
 * @property {boolean} [panel] whether it has a module of its name in `panels`
 * @property {Method[]} methods its methods; the first is the default
 */

const planOf = (answer) => answer.plan;

/** @type {Record<string, Planner>} */
export const PLANNERS = {
  allocation: {
    title: "Tasks: who does what",
    message: "AllocationProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "the best routes",
        rpc: "AllocationService/StreamAllocateTasks",
        streams: true,
        request: "AllocateTasksRequest",
        plan: planOf,
        relaxations: (answer) => answer.report?.explanation?.relaxations ?? [],
      },
    ],
  },
  crew: {
    title: "Crew: who takes which tool",
    message: "CrewProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "all trade-offs",
        rpc: "CrewService/AssignCrew",
        request: "AssignCrewRequest",
        plan: planOf,
        frames: frontFrames("crew_choice"),
      },
    ],
  },
  heist: {
    title: "Heist: what a burglar does",
    message: "HeistProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "the burglar's plan",
        rpc: "HeistService/StreamPlanBurglar",
        streams: true,
        request: "PlanBurglarRequest",
        plan: planOf,
        detail: (answer) => answer.outcome && { heist_outcome: answer.outcome },
      },
      {
        name: "design",
        title: "traps in the burglar's plan",
        rpc: "HeistService/StreamDesignHeist",
        streams: true,
        part: "world",
        request: "DesignHeistRequest",
        kind: null,
        plan: planOf,
        detail: (answer) => answer.analysis && { heist_analysis: answer.analysis },
        verify: verifyBySimulation,
      },
      {
        name: "analyze",
        title: "what can go wrong",
        rpc: "HeistService/AnalyzeHeist",
        part: "world",
        request: "AnalyzeHeistRequest",
        kind: null,
        plan: () => undefined,
      },
    ],
  },
  narrative: {
    title: "Narrative: live stories on time",
    message: "NarrativeProblem",
    methods: [
      {
        name: "plan",
        title: "the best schedule",
        rpc: "NarrativeService/StreamScheduleNarrative",
        streams: true,
        request: "ScheduleNarrativeRequest",
        plan: planOf,
        detail: (answer) => answer.conflict && { narrative_conflict: answer.conflict },
        relaxations: (answer) => answer.relaxations ?? [],
      },
    ],
  },
  patrol: {
    title: "Patrol: where guards go",
    message: "PatrolProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "one patrol",
        rpc: "PatrolService/StreamGeneratePatrol",
        streams: true,
        request: "GeneratePatrolRequest",
        plan: planOf,
        detail: (answer) => answer.evaluation && { patrol_evaluation: answer.evaluation },
      },
      {
        name: "mix",
        title: "a mixed strategy",
        rpc: "PatrolService/StreamMixPatrols",
        streams: true,
        request: "MixPatrolsRequest",
        kind: "patrol_mixture",
        plan: planOf,
        detail: (answer) => answer.evaluation && { patrol_mixture_evaluation: answer.evaluation },
      },
      {
        name: "vary",
        title: "patrols that differ",
        rpc: "PatrolService/StreamVaryPatrols",
        streams: true,
        request: "VaryPatrolsRequest",
        plan: (answer) => answer.plans?.at(-1)?.plan,
        frames: patrolFrames,
      },
    ],
  },
  puzzle: {
    title: "Puzzle: Sokoban levels",
    message: "PuzzleProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "levels of a wanted difficulty",
        rpc: "PuzzleService/StreamGeneratePuzzle",
        streams: true,
        request: "GeneratePuzzleRequest",
        plan: planOf,
      },
    ],
  },
  schedule: {
    title: "Schedule: what is built when",
    message: "ScheduleProblem",
    methods: [
      {
        name: "plan",
        title: "the shortest schedule",
        rpc: "ScheduleService/StreamScheduleProject",
        streams: true,
        request: "ScheduleProjectRequest",
        plan: planOf,
      },
    ],
  },
  story: {
    title: "Story: believable tales",
    message: "StoryProblem",
    panel: true,
    methods: [
      {
        name: "plan",
        title: "the best story",
        rpc: "StoryService/StreamGenerateStory",
        streams: true,
        request: "GenerateStoryRequest",
        plan: planOf,
      },
      {
        name: "vary",
        title: "stories that differ",
        rpc: "StoryService/StreamVaryStories",
        streams: true,
        request: "VaryStoriesRequest",
        plan: (answer) => answer.plans?.at(-1),
        frames: storyFrames,
      },
    ],
  },
  temporal: {
    title: "Temporal: times that hold",
    message: "TemporalNetwork",
    methods: [
      {
        name: "plan",
        title: "do fixed times hold?",
        rpc: "TemporalService/CheckStrongControllability",
        request: "CheckStrongControllabilityRequest",
        plan: planOf,
        detail: (answer) => answer.conflict && { temporal_conflict: answer.conflict },
        relaxations: (answer) => answer.relaxations ?? [],
        before: consistency,
        frames: networkFrames,
      },
    ],
  },
};

/**
 * A method of a planner by its name; the default if there is none of that name.
 * @param {string} planner
 * @param {string} [name]
 * @returns {Method}
 */
export function methodOf(planner, name = "") {
  const { methods } = PLANNERS[planner];
  return methods.find((one) => one.name === name) ?? methods[0];
}

/**
 * The part of a request with the problem.
 * @param {Method} method
 * @param {any} problem
 */
export function requestProblem(method, problem) {
  return { problem: method.part ? problem[method.part] : problem };
}

/**
 * A path in a request as a path in the edited problem.
 * @param {Method} method
 * @param {string} field
 */
export function editedPath(method, field) {
  if (field === "problem") return method.part ?? "";
  if (!field.startsWith("problem.")) return field;
  const inner = field.slice("problem.".length);
  return method.part ? `${method.part}.${inner}` : inner;
}

/**
 * The planner of a problem, by fields that only its problems have; undefined if there are none.
 * @param {any} problem
 */
export function plannerOf(problem) {
  if (problem === null || typeof problem !== "object") return undefined;
  const marks = {
    allocation: ["agents", "tasks"],
    crew: ["arcs", "tools"],
    heist: ["world"],
    narrative: ["events", "activities"],
    patrol: ["vertices", "guards"],
    schedule: ["activities"],
    story: ["actions", "types"],
    temporal: ["events", "links"],
  };
  const found = Object.entries(marks).find(([, fields]) => fields.every((field) => field in problem));
  if (found) return found[0];
  return "template_rows" in problem || "max_boxes" in problem ? "puzzle" : undefined;
}
