/** The package against servers that are killed and drained. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CallError, Client, Session } from "../src/index.js";
import { PATIENCE_MS, Server, eventually } from "./servers.js";

const TOKEN = "0123456789abcdef";
const CALL = "AllocationService/AllocateTasks";
const STREAM = "AllocationService/StreamAllocateTasks";

async function server(context, ...flags) {
  const made = await new Server(...flags).start();
  context.after(() => made.kill());
  return made;
}

/** Two servers, and a client of both, which calls the first one. */
async function pair(context) {
  const both = [await server(context), await server(context)];
  return [...both, new Client(both.map(({ address }) => address))];
}

async function jobs(context) {
  const folder = await mkdtemp(join(tmpdir(), "stratagem-js-"));
  context.after(() => rm(folder, { recursive: true }));
  return ["--jobs", join(folder, "jobs.redb")];
}

/** Two agents and a number of tasks on a grid. */
function problem(count) {
  const point = (i) => ({ point: { x: (i * 7) % 10, y: (i * 3) % 10 } });
  const tasks = Array.from({ length: count }, (_, i) => ({ id: `t${i}`, place: point(i), service_duration: "1s" }));
  return { agents: [{ id: "ann", start: point(0) }, { id: "bob", start: point(0) }], tasks };
}

/** A search that finds better and better plans, by default until its caller ends it. */
function hard(options = {}) {
  let state = 1;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 1000;
  };
  const place = () => ({ point: { x: draw(), y: draw() } });
  const tasks = Array.from({ length: 150 }, (_, i) => ({ id: `t${i}`, place: place(), service_duration: "1s" }));
  const agents = Array.from({ length: 5 }, (_, i) => ({ id: `a${i}`, start: place(), speed: 9 }));
  return { problem: { agents, tasks }, options: { time_budget: "300s", ...options } };
}

/** It takes a second or so, in which its server can be lost. */
const LIMITED = hard({ max_iterations: 2_000 });

async function collect(steps, found = []) {
  for await (const step of steps) found.push(step);
  return found;
}

async function fails(promise) {
  const error = await promise.then(assert.fail, (error) => error);
  assert.ok(error instanceof CallError, error);
  return error;
}

const levels = (step) => (step.report ?? step.event).objective.levels;
const isLess = (a, b) => {
  const i = a.findIndex((level, i) => level !== b[i]);
  return i >= 0 && a[i] < b[i];
};

/** Each plan is strictly better than the one before, and only the last step has a report. */
function improves(steps) {
  const found = steps.slice(0, -1).map(levels);
  assert.ok(found.length);
  for (const [i, next] of found.slice(1).entries()) assert.ok(isLess(next, found[i]), `${found}`);
  assert.deepEqual(steps.map((step) => Boolean(step.report)), [...found.map(() => false), true]);
  assert.ok(!isLess(found.at(-1), levels(steps.at(-1))));
  assert.ok(steps.at(-1).plan.routes.length);
}

test("a call returns the best plan before its deadline", async (context) => {
  const client = new Client((await server(context)).address);
  await client.waitUntilReady();
  let answer;
  // A busy machine misses deadlines. A call that sends none never ends in time.
  await eventually("an answer is in time", async () => {
    answer = await client.call(CALL, hard(), { timeoutMs: 1000 }).catch((error) => assert.equal(error.code, "DEADLINE_EXCEEDED", error));
    return answer;
  });
  assert.ok(answer.plan.routes.length);
  assert.equal(answer.report.stop_reason, "STOP_REASON_DEADLINE");
});

test("a connection is waited for", async (context) => {
  const late = await server(context);
  await late.kill();
  const client = new Client(late.address);
  assert.equal((await fails(client.waitUntilReady(100))).code, "UNAVAILABLE");
  const ready = client.waitUntilReady(PATIENCE_MS);
  await late.start();
  await ready;
});

test("an error lists all mistakes", async (context) => {
  const client = new Client((await server(context)).address);
  const wrong = problem(3);
  wrong.tasks[1].id = "t0";
  wrong.tasks[2].place.point.x = "NaN";
  for (const call of [() => client.call(CALL, { problem: wrong }), () => collect(client.stream(STREAM, { problem: wrong }))]) {
    const error = await fails(call());
    assert.deepEqual([error.code, error.reason], ["INVALID_ARGUMENT", "INVALID_REQUEST"]);
    const found = error.mistakes.map(({ field, reason }) => [field, reason]);
    const place = "problem.tasks[2].place.point.x";
    assert.deepEqual(found, [[place, "NOT_FINITE"], ["problem.tasks[1].id", "DUPLICATE"]]);
    assert.ok(String(error).includes(place));
    assert.ok(error.requestId);
  }
});

test("a full server names the delay", async (context) => {
  const full = await server(context, "--slots", "1", "--queue-max", "1");
  const client = new Client(full.address, { attemptsMax: 1 });
  const stream = client.stream(STREAM, hard({ priority: "PRIORITY_HIGH" }));
  await stream.next();
  const error = await fails(client.call(CALL, { problem: problem(5), options: { time_budget: "0.020s" } }));
  assert.deepEqual([error.code, error.reason], ["UNAVAILABLE", "NO_SLOT_IN_TIME"]);
  assert.ok(error.retryDelayMs > 0);
  await stream.return();
  await eventually("the search has ended", async () => (await full.total("stratagem_busy_slots")) === 0);
});

test("a signal ends a call, and its search", async (context) => {
  const one = await server(context);
  const client = new Client(one.address);
  for (const begin of [(options) => client.call(CALL, hard(), options), (options) => collect(client.follow(STREAM, hard(), options))]) {
    const ending = new AbortController();
    const call = begin({ signal: ending.signal });
    await eventually("it searches", async () => (await one.total("stratagem_busy_slots")) === 1);
    ending.abort(new Error("enough"));
    await assert.rejects(call, { message: "enough" });
    await eventually("the search has ended", async () => (await one.total("stratagem_busy_slots")) === 0);
    await assert.rejects(begin({ signal: ending.signal }), { message: "enough" });
  }
});

test("a stream that is followed survives its server", async (context) => {
  const [lost, other, client] = await pair(context);
  const steps = client.follow(STREAM, LIMITED, { timeoutMs: PATIENCE_MS });
  const { value: first } = await steps.next();
  assert.equal(await lost.total("stratagem_busy_slots"), 1);
  await lost.kill();
  const found = await collect(steps, [first]);
  improves(found);
  assert.equal(found.at(-1).report.stop_reason, "STOP_REASON_ITERATION_LIMIT");
  assert.equal(await other.total("stratagem_rpc_total", "StreamAllocateTasks", 'code="OK"'), 1);
});

test("a stream that is followed leaves a server that drains", async (context) => {
  const [drains, other, client] = await pair(context);
  const steps = client.follow(STREAM, LIMITED, { timeoutMs: PATIENCE_MS });
  const { value: first } = await steps.next();
  drains.terminate();
  const found = await collect(steps, [first]);
  improves(found);
  assert.equal(found.at(-1).report.stop_reason, "STOP_REASON_ITERATION_LIMIT");
  assert.equal(await other.total("stratagem_rpc_total", "StreamAllocateTasks", 'code="OK"'), 1);
  if (drains.process.exitCode === null) await once(drains.process, "exit");
  assert.equal(drains.process.exitCode, 0);
});

test("the report of a server that drains is the last where no other is left", async (context) => {
  const one = await server(context);
  const steps = new Client(one.address).follow(STREAM, hard(), { timeoutMs: 4000 });
  const { value: first } = await steps.next();
  one.terminate();
  const found = await collect(steps, [first]);
  improves(found);
  assert.equal(found.at(-1).report.stop_reason, "STOP_REASON_DRAINING");
});

test("without a server following fails at its deadline", async (context) => {
  const gone = await server(context);
  await gone.kill();
  const steps = new Client(gone.address).follow(STREAM, hard(), { timeoutMs: 1000 });
  assert.ok(["UNAVAILABLE", "DEADLINE_EXCEEDED"].includes((await fails(collect(steps))).code));
});

test("a mistake ends following", async (context) => {
  const client = new Client((await server(context)).address);
  assert.equal((await fails(collect(client.follow(STREAM, {})))).reason, "INVALID_REQUEST");
});

test("a job is watched over the loss of its server", async (context) => {
  const one = await server(context, ...(await jobs(context)));
  const client = new Client(one.address);
  const request = { problem: problem(60), options: { time_budget: "3s" } };
  const terms = { requestId: "friday", labels: { level: "7" }, deadlineMs: 600_000, keepMs: 600_000 };
  const job = await client.jobs.create(STREAM, request, terms);
  assert.equal((await client.jobs.create(CALL, request, terms)).job_id, job.job_id);
  const events = client.jobs.watch(job.job_id, { timeoutMs: PATIENCE_MS });
  const seen = [];
  while (seen.at(-1)?.state !== "JOB_STATE_RUNNING") seen.push((await events.next()).value);
  await one.kill();
  await one.start();
  await collect(events, seen);
  const numbers = seen.map(({ sequence }) => sequence);
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
  const last = seen.at(-1);
  assert.deepEqual([last.state, last.attempt], ["JOB_STATE_SUCCEEDED", 2]);
  const { response } = await client.jobs.get(job.job_id);
  assert.deepEqual(response, last.response);
  assert.ok(response.allocate_tasks.plan.routes.length);
});

test("jobs are listed, cancelled and deleted", async (context) => {
  const one = await server(context, ...(await jobs(context)), "--job-slots", "1");
  const client = new Client(one.address);
  const ids = [];
  for (const seed of [0, 1, 2]) ids.unshift((await client.jobs.create(CALL, hard({ seed }))).job_id);
  const { job_id: labelled } = await client.jobs.create(CALL, hard(), { labels: { level: "7" } });
  const listed = (await collect(client.jobs.list({ page_size: 2 }))).map(({ job_id }) => job_id);
  assert.deepEqual(listed, [labelled, ...ids]);
  const found = await collect(client.jobs.list({ labels: [{ key: "level", value: "7" }] }));
  assert.deepEqual(found.map(({ job_id }) => job_id), [labelled]);
  await fails(collect(client.jobs.watch(labelled, { timeoutMs: 300 })));
  for (const id of listed) {
    await client.jobs.cancel(id);
    assert.equal((await collect(client.jobs.watch(id))).at(-1).state, "JOB_STATE_CANCELLED");
    await client.jobs.delete(id);
  }
  const error = await fails(client.jobs.get(labelled));
  assert.deepEqual([error.code, error.reason], ["NOT_FOUND", "JOB_UNKNOWN"]);
  assert.equal((await fails(client.jobs.create("ServerService/GetServerInfo", {}))).code, "INVALID_ARGUMENT");
});

test("each method that searches can be a job", async (context) => {
  const one = await server(context, ...(await jobs(context)));
  const { paths, components } = await (await fetch(`${one.address}/openapi.json`)).json();
  const members = new Set(Object.keys(components.schemas.JobRequest.properties));
  const client = new Client(one.address);
  for (const path of Object.keys(paths)) {
    const method = path.replace("/stratagem.v1.", "");
    const error = await client.jobs.create(method, {}).then(() => undefined, (error) => error);
    const fields = error?.mistakes.map(({ field }) => field.split(".")[1].split("[")[0]) ?? [];
    for (const field of fields) members.delete(field);
  }
  assert.deepEqual([...members], []);
});

test("a token is sent with each call", async (context) => {
  const [, file] = await jobs(context);
  await writeFile(file, `[[token]]\ntenant = "arena"\ntoken = "${TOKEN}"\n`);
  const { address } = await server(context, "--tokens", file);
  const tokens = [TOKEN, "wrong", TOKEN];
  const client = new Client(address, { token: async () => tokens.shift() });
  const info = (by) => by.call("ServerService/GetServerInfo", {});
  assert.ok((await info(client)).version);
  assert.deepEqual((await fails(info(client))).reason, "TOKEN_INVALID");
  assert.ok((await info(client)).version);
  assert.ok((await info(new Client(address, { token: TOKEN }))).version);
  assert.equal((await fails(info(new Client(address)))).reason, "TOKEN_MISSING");
});

test("a session goes on when its server is killed", { timeout: PATIENCE_MS }, async (context) => {
  const one = await server(context);
  const client = new Client(one.address);
  const request = { session_id: "raid", allocation: { problem: problem(6) }, options: { max_iterations: 1 } };
  const session = await Session.create(client, request);
  const watched = collect(session.watch());
  const epochs = new Set();
  const numbers = Array.from({ length: 250 }, (_, i) => i + 1);
  for (const number of numbers) {
    if (number % 90 === 0) {
      await one.kill();
      await one.start();
    }
    const added = { id: `new ${number}`, place: { point: { x: number % 10, y: number % 7 } } };
    const gone = number > 3 ? [`new ${number - 3}`] : [];
    // Agents with positions: no task is assumed to be done.
    const positions = ["ann", "bob"].map((agent_id) => ({ agent_id, place: { point: { x: number % 5 } } }));
    const view = await session.update({ allocation: { put_tasks: [added], removed_task_ids: gone, positions } }, number / 10);
    assert.deepEqual([view.refused, view.applied_sequence], [[], number]);
    const stops = (view.allocation.routes ?? []).flatMap((route) => route.stops.map((stop) => stop.task_id));
    const wanted = numbers.slice(Math.max(0, number - 3), number).map((i) => `new ${i}`);
    for (let i = 0; i < 6; i += 1) wanted.push(`t${i}`);
    assert.deepEqual([...stops, ...(view.allocation.unserved_task_ids ?? [])].sort(), wanted.sort());
    epochs.add(view.epoch);
  }
  assert.equal(epochs.size, 3);
  const view = await session.update({}, 26, { patienceMs: 5_000 });
  assert.deepEqual([view.complete, view.allocation.unserved_task_ids ?? []], [true, []]);
  const wrong = await session.update({ allocation: { unknown_field: 1 } });
  assert.deepEqual(wrong.refused.map(({ sequence, mistakes }) => [sequence, mistakes[0].reason]), [[252, "MESSAGE_MALFORMED"]]);
  await session.close();
  assert.deepEqual([...new Set((await watched).map(({ epoch }) => epoch))], [...epochs]);
  await assert.rejects(client.call("SessionService/GetSession", { session_id: "raid" }), { reason: "SESSION_UNKNOWN" });
});

test("a session goes on at another server", { timeout: PATIENCE_MS }, async (context) => {
  const [first, , client] = await pair(context);
  const session = await Session.create(client, { session_id: "raid", allocation: { problem: problem(6) } });
  const watch = session.watch();
  const before = (await watch.next()).value.epoch;
  await session.update({ allocation: { removed_task_ids: ["t1"] } }, 1);
  await first.kill();
  let after;
  do after = (await watch.next()).value;
  while (after.epoch === before);
  const view = await session.update({ allocation: { removed_task_ids: ["t2"] } }, 2);
  assert.deepEqual([view.applied_sequence, view.epoch], [2, after.epoch]);
  const { snapshot } = await client.call("SessionService/GetSession", { session_id: "raid" });
  const tasks = snapshot.allocation.problem.tasks.map(({ id }) => id);
  assert.ok(!tasks.includes("t1") && !tasks.includes("t2"), tasks);
  await session.close();
  await collect(watch);
});
