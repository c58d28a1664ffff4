// What was begun before does no harm to what goes on now: the pages' own modules, with no more of a browser than they touch.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { HEIGHT, seen, WIDTH, World } from "./world.js";

class Part {
  constructor() {
    this.children = [];
    this.listeners = {};
    this.dataset = {};
    this.attributes = {};
  }

  append(...children) {
    for (const child of children) {
      if (child instanceof Part) child.parent = this;
      this.children.push(child);
    }
  }

  replaceChildren(...children) {
    for (const child of this.children) if (child instanceof Part) child.parent = undefined;
    this.children = [];
    this.append(...children);
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = value;
    if (name === "class") this.className = value;
  }

  addEventListener(name, act) {
    this.listeners[name] = act;
  }

  all() {
    return this.children.filter((child) => child instanceof Part).flatMap((child) => [child, ...child.all()]);
  }

  /** Only by class, or any. */
  querySelector(wanted) {
    return this.all().find((part) => !wanted.startsWith(".") || part.className === wanted.slice(1)) ?? null;
  }

  querySelectorAll() {
    return [];
  }

  get isConnected() {
    return this === document.body || Boolean(this.parent?.isConnected);
  }
}

const ids = {};
globalThis.Node = Part;
globalThis.document = {
  body: new Part(),
  createElement: () => new Part(),
  createElementNS: () => new Part(),
  getElementById: (id) => (ids[id] ??= new Part()),
  querySelectorAll: () => [],
};
globalThis.location = new URL("http://stratagem/playground/");

const { Editor } = await import("./editor.js");
const { input } = await import("./inputs.js");
const { jobs } = await import("./jobs.js");
const { learn } = await import("./learn.js");
const { apply, describe } = await import("./relax.js");
const { allowed, byDefault } = await import("./rules.js");
const { clear, showPanel } = await import("./panels/index.js");
const { traps } = await import("./panels/level.js");
const { problemOfRequest } = await import("./open.js");

/** What has been promised is done, as far as nobody else is waited for. */
const settled = () => new Promise((done) => setImmediate(done));
const lines = (...all) => new Response(all.map((one) => `${JSON.stringify({ result: one })}\n`).join(""));
const refusal = (field) => new Response(JSON.stringify({ code: "INVALID_ARGUMENT", violations: [{ field, description: "no" }] }), { status: 400 });

/** A search under way whose best plan is this. */
function runningSearch(planner, plan) {
  return Object.assign(new EventTarget(), { planner, problem: {}, running: true, incumbents: [], best: { plan } });
}

function part() {
  const root = new Part();
  document.body.append(root);
  return root;
}

test("what an old search finds is not drawn beside another problem", async () => {
  const root = part();
  const run = runningSearch("crew", { joint: { points: [{ worst_duration: "1s", worst_damage: 1 }] } });
  await showPanel(root, run, { stage: {} });
  run.dispatchEvent(new Event("end"));
  assert.notEqual(root.children.length, 0);
  clear(root);
  run.dispatchEvent(new Event("end"));
  assert.equal(root.children.length, 0);
});

test("a slider searches from the best story of its problem, and not once another one is open", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const starts = [];
  const acts = [{ action: "Kill" }];
  const editor = { problem: { actions: [{ name: "Kill" }] }, method: "plan", draw: () => {} };
  const root = part();
  await showPanel(root, runningSearch("story", { acts }), { start: (extra) => starts.push(extra), editor, stage: {} });
  const slider = root.all().find((one) => one.dataset.action === "Kill");
  const move = () => slider.listeners.input({ target: { value: "2" } });
  move();
  mock.timers.tick(1000);
  editor.method = "vary";
  move();
  mock.timers.tick(1000);
  move();
  clear(root);
  mock.timers.tick(1000);
  mock.timers.reset();
  assert.deepEqual(starts, [{ previous_plan: { acts } }, {}]);
});

test("learning again shows the new domain only", async () => {
  const menu = new Part();
  menu.append(new Part());
  const told = [];
  const done = [];
  const guarded = (act) => done.push(act().catch((error) => told.push(error.message)));
  const opened = [];
  learn(menu, { guarded, open: (domain) => opened.push(domain) });
  const begin = menu.all().find((one) => one.className === "main").listeners.click;
  const never = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const once = async () => lines({ plan: { round: 3, word_count: 7, domain: { title: "new" } } });
  for (const answer of [never, once]) {
    globalThis.fetch = answer;
    begin();
  }
  await Promise.all(done);
  assert.deepEqual([told, opened], [[], [{ title: "new" }]]);
  const state = menu.all().find((one) => one.attributes.role === "status");
  assert.match(state.textContent, /7 words/);
});

test("a job that is deleted does not come back by its next event", async () => {
  const menu = new Part();
  menu.append(new Part());
  const told = [];
  const guarded = (act) => act().catch((error) => told.push(error.message));
  jobs(menu, { editor: { planner: "allocation", problem: {} }, options: () => ({}), showResponse: () => {}, guarded });
  const press = (label) => menu.all().find((one) => one.children[0] === label).listeners.click();
  const rows = () => menu.all().filter((one) => one.dataset.state);
  const job = { job_id: "j", planner: "allocation", state: "JOB_STATE_RUNNING" };
  let answer;
  const answers = {
    CreateJob: () => Response.json({ job }),
    WatchJob: () => new Promise((done) => (answer = done)),
    CancelJob: () => Response.json({ job: { ...job, state: "JOB_STATE_CANCELLED" } }),
    DeleteJob: () => Response.json({}),
  };
  globalThis.fetch = async (url) => answers[url.split("/").pop()]();
  press("Start this problem as a job");
  while (!answer) await settled();
  assert.equal(rows().length, 1);
  press("Cancel");
  while (rows()[0].dataset.state !== "JOB_STATE_CANCELLED") await settled();
  press("Delete");
  while (rows().length) await settled();
  answer(lines({ event: { sequence: 1, state: "JOB_STATE_CANCELLED" } }));
  await settled();
  await settled();
  assert.deepEqual([rows(), told], [[], []]);
});

test("of several answers on mistakes the newest counts, and none on what is no problem", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const editor = new Editor({ messages: { AllocationProblem: { fields: [] } }, enums: {} });
  editor.tab = "json";
  editor.open("allocation", {});
  const asked = [];
  globalThis.fetch = () => new Promise((answer) => asked.push(answer));
  editor.validate();
  editor.validate();
  await settled();
  asked[1](lines({}));
  await settled();
  asked[0](refusal("problem.tasks"));
  await settled();
  assert.deepEqual(editor.mistakes, []);

  editor.validate();
  await settled();
  editor.text.value = '{"tasks": [';
  editor.typed();
  asked[2](lines({}));
  await settled();
  mock.timers.tick(1000);
  assert.equal(editor.mistakes.length, 1);
  assert.notEqual(editor.syntaxError, "");
  assert.equal(asked.length, 3, "what is no problem is not asked about");

  editor.text.value = "{}";
  editor.typed();
  mock.timers.tick(1000);
  await settled();
  asked[3](refusal("problem.agents"));
  await settled();
  mock.timers.reset();
  assert.deepEqual(editor.mistakes.map(({ field }) => field), ["agents"]);
});

/** A change of a bound, with all fields of a `TemporalBoundChange`. */
const BOUND = { link_id: "meet", side: "TEMPORAL_BOUND_SIDE_UPPER", old_bound: "10s", new_bound: "18s" };

test("a relaxation of a network moves the bound to its new value", () => {
  const problem = { links: [{ id: "meet", lower: "1s", upper: "10s" }] };
  assert.deepEqual(apply("temporal", problem, { changes: [BOUND] }), [["links", 0, "upper"]]);
  assert.deepEqual(problem.links[0], { id: "meet", lower: "1s", upper: "18s" });
  assert.equal(describe(BOUND), "meet: at most 18s instead of 10s");
});

test("a relaxation of a network that removes a bound has no new value", () => {
  const { new_bound: _, ...removal } = BOUND;
  const problem = { links: [{ id: "meet", upper: "10s" }] };
  apply("temporal", problem, { changes: [removal] });
  assert.deepEqual(problem.links[0], { id: "meet" });
  assert.equal(describe(removal), "meet: at most anything instead of 10s");
});

test("a relaxation of a narrative changes bounds and capacities", () => {
  const problem = { contingent_links: [{ id: "meet", upper: "10s" }], resources: [{ id: "actors" }] };
  const capacity = { capacity: { resource_id: "actors", new_capacity: 2 } };
  const changes = [{ bound: BOUND }, capacity];
  assert.deepEqual(apply("narrative", problem, { changes }), [["contingent_links", 0, "upper"], ["resources", 0, "capacity"]]);
  assert.deepEqual(problem, { contingent_links: [{ id: "meet", upper: "18s" }], resources: [{ id: "actors", capacity: 2 }] });
  assert.deepEqual(changes.map(describe), ["meet: at most 18s instead of 10s", "actors: 2 instead of 0"]);
});

test("help in a level is named by its verb", () => {
  const help = [{ tick: 3, verb: "HEIST_INTERVENTION_VERB_SWITCH_OFF", target_id: "camera" }];
  const text = (part) => part.children.map((one) => (one instanceof Part ? text(one) : one)).join("");
  assert.match(traps({ traps: [], help }).map(text).join(""), /tick 3: switch off camera/);
});

test("a bundle opens as the problem of its planner", () => {
  const opened = (method, problem) => problemOfRequest(JSON.stringify({ method: `stratagem.v1.${method}`, request: { problem } }), "allocation");
  const world = { rooms: [{ id: "vault" }] };
  for (const method of ["DesignHeist", "StreamDesignHeist", "AnalyzeHeist"])
    assert.deepEqual(opened(`HeistService/${method}`, world), { planner: "heist", problem: { world } });
  const problem = { world, agent_id: "guard" };
  assert.deepEqual(opened("HeistService/StreamPlanBurglar", problem), { planner: "heist", problem });
  const network = { links: [] };
  assert.deepEqual(opened("TemporalService/CheckStrongControllability", network), { planner: "temporal", problem: network });
});

test("a number is typed between the ends of its range", () => {
  const given = [];
  const set = (value) => given.push(value);
  const speed = { name: "speed", type: "double", minimum: 0.001, maximum: 1000, required: true };
  const { attributes, listeners } = input(speed, 2, { values: undefined, set });
  const { type, min, max, step } = attributes;
  assert.deepEqual({ type, min, max, step }, { type: "number", min: "0.001", max: "1000", step: "any" });
  assert.equal(attributes["aria-required"], "true");
  listeners.change({ target: { value: "3", validity: { badInput: false } } });
  listeners.change({ target: { value: "", validity: { badInput: true } } });
  listeners.change({ target: { value: "", validity: { badInput: false } } });
  assert.deepEqual(given, [3, undefined]);
  assert.equal(input(speed, "fast", { values: undefined, set }).attributes.type, "text");
  assert.equal(input({ name: "weight", type: "int64" }, undefined, { values: undefined, set }).attributes.step, "1");
});

test("the reference shows what a field may be, and its default", () => {
  const ids = { type: "string", many: true, required: true, min_items: 1, max_items: 1400, min_length: 1, max_length: 100 };
  assert.equal(allowed(ids), "required; 1 to 1,400 elements; each 1 to 100 characters");
  assert.equal(allowed({ type: "duration", minimum: 0, maximum: 315360000 }), "0 to 315,360,000 s");
  assert.equal(allowed({ type: "double", minimum: 0.001 }), "at least 0.001");
  assert.equal(allowed({ type: "string", required: true, min_length: 1 }), "required");
  assert.equal(byDefault("How fast.\n 0.001 to 1,000. Default: 0.25. And more."), "0.25");
  assert.equal(byDefault("Required."), "");
});

/** Gives each raider the tasks that are left, in turn. */
function shared(world) {
  const raiders = [...world.raiders.keys()];
  const routes = raiders.map((agent_id) => ({ agent_id, stops: [] }));
  [...world.tasks.keys()].forEach((task_id, i) => routes[i % raiders.length].stops.push({ task_id }));
  world.follow({ routes });
}

test("raiders of the raid walk from cell to cell, work, and report it", () => {
  const [world, same] = [new World(7), new World(7)];
  shared(world);
  const first = [...world.tasks.keys()];
  const begun = new Set();
  let done = 0;
  for (let i = 0; i < 600; i += 1) {
    const before = new Map([...world.raiders.values()].map((one) => [one.id, seen(one)]));
    world.step();
    for (const one of world.raiders.values()) {
      const [[ax, ay], [bx, by]] = [before.get(one.id), seen(one)];
      assert.ok(Math.abs(ax - bx) + Math.abs(ay - by) <= 0.25, one.id);
      assert.ok(!world.walls[one.cell], one.id);
    }
    for (const { kind, task_id, agent_id } of world.changes().events ?? []) {
      if (kind.endsWith("STARTED")) begun.add(`${task_id} ${agent_id}`);
      else assert.ok(begun.delete(`${task_id} ${agent_id}`), task_id);
      done += Number(kind.endsWith("DONE"));
    }
  }
  assert.equal(done, first.filter((id) => !world.tasks.has(id)).length);
  assert.ok(done > 12, done);
  shared(same);
  for (let i = 0; i < 600; i += 1) same.step();
  assert.deepEqual([...same.raiders], [...world.raiders]);
});

test("a player of the raid removes raiders, changes tasks, and blocks gates", () => {
  const world = new World(7);
  assert.deepEqual([world.raiders.size, world.tasks.size, world.walls.length], [12, 30, WIDTH * HEIGHT]);
  assert.ok(world.kill("r3"));
  assert.ok(!world.add(0));
  const [[id, cell]] = world.tasks;
  assert.ok(!world.add(cell));
  world.remove(id);
  assert.ok(world.add(cell));
  const { removed_agent_ids, removed_task_ids, put_tasks, positions } = world.changes();
  assert.deepEqual([removed_agent_ids, removed_task_ids, put_tasks.length, positions.length], [["r3"], [id], 1, 11]);
  const far = (it) => it.problem().travel.matrix.durations_us;
  const before = far(world);
  assert.ok(world.toggle(0));
  const { arcs } = world.changes();
  const after = far(world);
  const changed = before.filter((us, i) => us !== after[i]).length;
  assert.ok(changed > 0);
  assert.equal(arcs.length, changed);
  assert.ok(world.toggle(1));
  // The two gates were all that leads out of the left part.
  assert.ok(far(world).includes(-1));
  assert.ok(world.toggle(0) && world.toggle(1));
  assert.deepEqual(far(world), before);
  for (const raider of [...world.raiders.keys()].slice(1)) world.kill(raider);
  assert.ok(!world.kill([...world.raiders.keys()][0]));
});
