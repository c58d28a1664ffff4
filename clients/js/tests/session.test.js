/** Sessions at a server that loses answers, restarts, and forgets. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Session } from "../src/index.js";

const ID = "raid-7";

/** The rules of the contract for sessions, in memory. */
class Fake {
  epoch = 0;
  /** The session: the updates that it has applied, and the number of the last one. @type {any} */
  held = null;
  /** All calls: the method and the request. @type {[string, any][]} */
  calls = [];
  /** What happens to the next calls: `lost`, `unanswered`, `silent` until `release`, or an error. @type {any[]} */
  faults = [];
  /** The responses of streams, each a list of views and errors. @type {any[][]} */
  streams = [];

  /** @param {string} address @param {any} request */
  fetch = async (address, { body, headers, signal }) => {
    const method = address.split("/").at(-1) ?? "";
    const request = JSON.parse(body);
    this.calls.push([method, request]);
    assert.equal(headers.get("x-session-id"), ID);
    const fault = this.faults.shift();
    if (fault === "lost") throw new TypeError("fetch failed");
    if (fault === "silent") {
      await new Promise((resolve, reject) => {
        this.release = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    } else if (fault && fault !== "unanswered") return refused(fault);
    const answer = this[method](request);
    if (fault === "unanswered") throw new TypeError("fetch failed");
    return answer;
  };

  /** Sequences of the calls of a method. */
  sent(method) {
    const found = this.calls.filter(([name]) => name === method);
    return found.map(([, { updates }]) => updates?.map((one) => one.sequence));
  }

  get view() {
    const { applied, revision, all } = this.held;
    return { epoch: this.epoch, plan_revision: revision, applied_sequence: applied, allocation: { unserved_task_ids: all } };
  }

  /** @param {any} request */
  CreateSession(request) {
    const existed = this.held?.origin === JSON.stringify(request);
    if (this.held && !existed) return refused({ code: "ALREADY_EXISTS", reason: "SESSION_EXISTS" });
    if (!existed) {
      this.epoch += 1;
      const { applied_sequence: applied = 0, allocation } = request;
      this.held = { origin: JSON.stringify(request), applied, revision: 1, all: allocation.problem.all ?? [] };
    }
    return Response.json({ view: this.view, existed });
  }

  /** @param {any} request */
  UpdateSession({ updates, known_plan_revision }) {
    if (!this.held) return refused({ code: "NOT_FOUND", reason: "SESSION_UNKNOWN" });
    if (updates[0].sequence > this.held.applied + 1) return refused({ code: "FAILED_PRECONDITION", reason: "SESSION_SEQUENCE_GAP" });
    const all = [];
    const given = updates.flatMap(({ allocation }) => allocation?.removed_task_ids ?? []);
    if (given.includes("MESSAGE_MALFORMED")) return refused({ code: "INVALID_ARGUMENT", reason: "MESSAGE_MALFORMED" });
    if (given.includes("MESSAGE_TOO_LARGE")) return refused({ code: "RESOURCE_EXHAUSTED", reason: "MESSAGE_TOO_LARGE" });
    for (const { sequence, allocation } of updates) {
      if (sequence <= this.held.applied) continue;
      this.held.applied = sequence;
      const [added] = allocation?.removed_task_ids ?? [];
      if (added === "wrong") all.push({ sequence, mistakes: [{ reason: "UNKNOWN" }] });
      else if (added) this.held = { ...this.held, revision: this.held.revision + 1, all: [...this.held.all, added] };
    }
    const { allocation, ...short } = this.view;
    const isKnown = known_plan_revision === short.plan_revision;
    return Response.json({ view: { ...short, ...(!isKnown && { allocation }), refused: all } });
  }

  GetSession() {
    if (!this.held) return refused({ code: "NOT_FOUND", reason: "SESSION_UNKNOWN" });
    const { applied, all } = this.held;
    const snapshot = { session_id: ID, applied_sequence: applied, allocation: { problem: { all } } };
    return Response.json({ snapshot, view: this.view });
  }

  WatchSession() {
    const lines = this.streams.shift();
    if (!lines) return refused({ code: "NOT_FOUND", reason: "SESSION_UNKNOWN" });
    const text = lines.map((one) => JSON.stringify(one.code ? { error: one } : { result: { view: one } }));
    return new Response(`${text.join("\n")}\n`);
  }

  CloseSession() {
    this.held = null;
    return Response.json({});
  }
}

/** @param {any} error */
function refused(error) {
  return new Response(JSON.stringify(error), { status: 400 });
}

const QUOTA = { code: "RESOURCE_EXHAUSTED", reason: "QUOTA_EXCEEDED" };
const removed = (id) => ({ allocation: { removed_task_ids: [String(id)] } });
const served = (view) => view.allocation.unserved_task_ids;
const numbers = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const names = (first, last) => numbers(first, last).map(String);

async function until(holds) {
  while (!holds()) await new Promise(setImmediate);
}

async function session(options = { attemptsMax: 1 }) {
  const fake = new Fake();
  const client = new Client("http://a:1", { fetch: fake.fetch, ...options });
  return { fake, made: await Session.create(client, { session_id: ID, allocation: { problem: {} } }) };
}

test("updates are numbered, and the plan that is known is not sent again", async () => {
  const { fake, made } = await session();
  assert.deepEqual(served(await made.update(removed(1), 0.5)), ["1"]);
  const view = await made.update({}, 1.5);
  assert.deepEqual([view.applied_sequence, served(view)], [2, ["1"]]);
  const updates = fake.calls.slice(1).map(([, request]) => request);
  assert.deepEqual(updates[0].updates, [{ ...removed(1), sequence: 1, now_offset: "0.500000s" }]);
  assert.deepEqual([updates[0].known_plan_revision, updates[1].known_plan_revision], [1, 2]);
});

test("updates whose answer is lost are sent again, and applied once", async () => {
  const { fake, made } = await session();
  fake.faults = ["unanswered", "lost"];
  assert.deepEqual(served(await made.update(removed(1))), ["1"]);
  assert.deepEqual(fake.sent("UpdateSession"), [[1], [1], [1]]);
});

test("an update that fails is sent with the next one", async () => {
  const { fake, made } = await session();
  fake.faults = [QUOTA];
  await assert.rejects(made.update(removed(1)), { reason: "QUOTA_EXCEEDED" });
  assert.deepEqual(served(await made.update(removed(2))), ["1", "2"]);
  assert.deepEqual(fake.sent("UpdateSession"), [[1], [1, 2]]);
});

test("an update does not fail by the deadline or the abort of another one", async () => {
  for (const timeoutMs of [20, undefined]) {
    const abort = new AbortController();
    const { fake, made } = await session();
    fake.faults = ["silent"];
    const both = [made.update(removed(1), 0, { timeoutMs, signal: abort.signal }), made.update(removed(2))];
    await until(() => fake.release);
    if (!timeoutMs) abort.abort(new Error("left"));
    const [first, second] = await Promise.allSettled(both);
    assert.equal(first.reason.code ?? first.reason.message, timeoutMs ? "DEADLINE_EXCEEDED" : "left");
    assert.deepEqual(served(second.value), ["1", "2"]);
  }
});

test("an update waits for the call of another one until its own deadline or abort", async () => {
  const abort = new AbortController();
  const { fake, made } = await session();
  fake.faults = ["silent"];
  const first = made.update(removed(1));
  const late = made.update(removed(2), 0, { timeoutMs: 20 });
  const left = made.update(removed(3), 0, { signal: abort.signal });
  const patient = made.update(removed(4), 0, { timeoutMs: Number.POSITIVE_INFINITY });
  abort.abort(new Error("left"));
  await assert.rejects(left, /left/);
  await assert.rejects(late, { code: "DEADLINE_EXCEEDED" });
  assert.deepEqual(fake.sent("UpdateSession"), [[1]]);
  fake.release();
  assert.deepEqual(served(await first), ["1"]);
  assert.deepEqual(served(await patient), ["1", "2", "3", "4"]);
});

test("updates of one moment share calls of at most 64", async () => {
  const { fake, made } = await session();
  const all = await Promise.all(numbers(1, 130).map((id) => made.update(removed(id))));
  assert.deepEqual(fake.sent("UpdateSession").map((sent) => sent.length), [1, 64, 64, 1]);
  assert.deepEqual(served(all.at(-1)), names(1, 130));
});

test("a server that restarted gets the session from the snapshot and the updates after it", async () => {
  const { fake, made } = await session();
  for (const id of numbers(1, 150)) await made.update(removed(id));
  assert.deepEqual(fake.sent("GetSession").length, 1);
  fake.held = null;
  assert.deepEqual(served(await made.update(removed(151))), names(1, 151));
  const created = fake.calls.filter(([name]) => name === "CreateSession");
  assert.deepEqual(created.map(([, request]) => request.applied_sequence ?? 0), [0, 100]);
  assert.deepEqual(fake.sent("UpdateSession").slice(-2), [[151], numbers(101, 151)]);
});

test("a session from before is replaced by the present one", async () => {
  for (const older of ["a gap", "a smaller epoch", "another content"]) {
    const { fake, made } = await session();
    for (const id of numbers(1, 3)) await made.update(removed(id));
    if (older === "a gap") fake.held.applied = 1;
    if (older === "a smaller epoch") fake.epoch -= 1;
    if (older === "another content") fake.faults = [{ code: "NOT_FOUND", reason: "SESSION_UNKNOWN" }];
    if (older === "another content") fake.held.origin = "";
    assert.deepEqual(served(await made.update(removed(4))), names(1, 4), older);
    assert.equal(fake.sent("CloseSession").length, 1, older);
    assert.equal(fake.sent("CreateSession").length - Number(older === "another content"), 2, older);
  }
});

test("an id that is in use is an error of creation", async () => {
  const { fake } = await session();
  const client = new Client("http://a:1", { fetch: fake.fetch });
  const other = Session.create(client, { session_id: ID, allocation: { problem: { title: "other" } } });
  await assert.rejects(other, { reason: "SESSION_EXISTS" });
  assert.equal(fake.sent("CloseSession").length, 0);
});

test("refusals are returned once, also when the session is created again", async () => {
  const { fake, made } = await session();
  const view = await made.update(removed("wrong"));
  assert.deepEqual(view.refused.map(({ sequence }) => sequence), [1]);
  fake.held = null;
  assert.deepEqual((await made.update(removed(2))).refused, []);
});

test("an update that breaks the rules of the contract does not hold up the next one", async () => {
  const { fake, made } = await session();
  fake.faults = [{ code: "INVALID_ARGUMENT", violations: [{ field: "updates[0].allocation.events", reason: "TOO_MANY" }] }];
  const { refused } = await made.update(removed(1), 3);
  assert.deepEqual(refused, [{ sequence: 1, mistakes: [{ field: "allocation.events", reason: "TOO_MANY", description: "" }] }]);
  assert.deepEqual(fake.calls.at(-1)[1].updates, [{ sequence: 1 }]);
  // Its number has mistakes too: sending it again would not help.
  const fault = { code: "INVALID_ARGUMENT", violations: [{ field: "updates[0].sequence", reason: "OUT_OF_RANGE" }] };
  fake.faults = [fault, fault];
  await assert.rejects(made.update(removed(2), 4), { code: "INVALID_ARGUMENT" });
  const view = await made.update(removed(3), 5);
  assert.deepEqual([served(view), view.refused.map(({ sequence }) => sequence)], [["3"], [2]]);
  const [, { updates }] = fake.calls.at(-1);
  assert.deepEqual(updates, [{ sequence: 2 }, { ...removed(3), sequence: 3, now_offset: "5.000000s" }]);
});

test("updates that share a call with a wrong one are sent again", async () => {
  const { fake, made } = await session();
  fake.faults = [undefined, { code: "INVALID_ARGUMENT", violations: [{ field: "updates[1].allocation.events", reason: "TOO_MANY" }] }];
  const [, good, bad] = await Promise.all([1, 2, 3].map((id) => made.update(removed(id))));
  assert.deepEqual([served(good), good.refused], [["1", "2"], []]);
  assert.deepEqual(bad.refused.map(({ sequence }) => sequence), [3]);
  assert.deepEqual(fake.sent("UpdateSession"), [[1], [2, 3], [2, 3]]);
});

test("an update that no server can read does not hold up others", async () => {
  for (const reason of ["MESSAGE_MALFORMED", "MESSAGE_TOO_LARGE"]) {
    const { fake, made } = await session();
    fake.faults = [QUOTA, QUOTA];
    await assert.rejects(made.update(removed(1)), QUOTA);
    await assert.rejects(made.update(removed(reason)), QUOTA);
    const view = await made.update(removed(3));
    assert.deepEqual(served(view), ["1", "3"]);
    assert.deepEqual(view.refused.map(({ sequence, mistakes }) => [sequence, mistakes[0].reason]), [[2, reason]]);
    assert.deepEqual(fake.sent("UpdateSession"), [[1], [1, 2], [1, 2, 3], [1], [2], [2], [3]]);
    await made.update(removed(4));
    assert.deepEqual(fake.sent("UpdateSession").at(-1), [4]);
  }
  const { fake, made } = await session();
  await assert.rejects(made.update(removed(1), 0, { patienceMs: Number.NaN }), RangeError);
  assert.deepEqual(fake.sent("UpdateSession"), []);
});

test("a refusal whose caller has left is in the next response", async () => {
  const { fake, made } = await session();
  fake.faults = [QUOTA];
  await assert.rejects(made.update(removed("wrong")), QUOTA);
  assert.deepEqual((await made.update(removed(2))).refused.map(({ sequence }) => sequence), [1]);
});

test("closing ends updates that wait", async () => {
  const { fake, made } = await session();
  fake.faults = ["silent"];
  const first = made.update(removed(1));
  const others = [made.update(removed(2)), made.update(removed(3))];
  const closing = made.close();
  await until(() => fake.release);
  fake.release();
  assert.deepEqual(served(await first), ["1"]);
  for (const other of others) await assert.rejects(other, /the session is closed/);
  await closing;
  assert.deepEqual(fake.calls.map(([name]) => name), ["CreateSession", "UpdateSession", "CloseSession"]);
});

test("watching does not wait for a silent server without end, and not after closing", async () => {
  const { fake, made } = await session({ attemptsMax: 1, timeoutMs: 20 });
  await made.update(removed(1));
  fake.held = null;
  fake.faults = [undefined, "silent"];
  const watch = made.watch();
  const first = watch.next();
  await until(() => fake.held);
  assert.equal(fake.sent("CreateSession").length, 3);
  await made.close();
  assert.equal((await first).done, true);
  assert.equal(fake.held, null);
});

test("watching ignores older views, and continues when the stream is lost", async () => {
  const { fake, made } = await session();
  await made.update(removed(1));
  const view = (epoch, plan_revision) => ({ epoch, plan_revision, applied_sequence: 1, allocation: {} });
  fake.streams = [
    [view(1, 2), view(1, 4), view(1, 3), view(0, 9), { code: "UNAVAILABLE", reason: "DRAINING" }],
    [{ code: "UNAVAILABLE" }],
    [view(1, 4), view(2, 1)],
  ];
  const found = [];
  for await (const { epoch, plan_revision } of made.watch()) found.push([epoch, plan_revision]);
  assert.deepEqual(found, [[1, 2], [1, 4], [1, 4], [2, 1]]);
});

test("watching creates a session that its server has lost", async () => {
  const { fake, made } = await session();
  await made.update(removed(1));
  fake.held = null;
  const watch = made.watch();
  const first = watch.next();
  await until(() => fake.held);
  assert.equal(fake.epoch, 2);
  // Before the next attempt to watch.
  fake.streams = [[{ epoch: 2, plan_revision: 5, applied_sequence: 1, allocation: {} }]];
  assert.equal((await first).value.plan_revision, 5);
  assert.deepEqual(fake.sent("UpdateSession"), [[1], [1]]);
  await made.close();
  assert.equal((await watch.next()).done, true);
  await assert.rejects(made.update({}), /closed/);
});
