/** What needs no server: errors, retries, addresses, and the choice of plans. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Best } from "../src/best.js";
import { CallError, Client } from "../src/index.js";
import { Deadline, RETRIES } from "../src/retry.js";

const STREAM = "AllocationService/StreamAllocateTasks";
const INFO = "ServerService/GetServerInfo";

/** A response with a plan of that objective; none without levels. */
function step(levels, { stop_reason, heartbeat } = {}) {
  const objective = { levels };
  const event = { objective, heartbeat };
  const plan = levels.length ? { routes: [{ agent_id: String(levels) }] } : undefined;
  return { event, plan, ...(stop_reason && { report: { stop_reason, objective, gap: 0.5 } }) };
}

const lost = (details) => new CallError("UNAVAILABLE", "no", details);
const taken = (best, ...steps) => steps.flatMap((one) => best.take(one)).map(({ event, report }) => [event.objective.levels, Boolean(report)]);

/** A client whose calls are answered in turn, each by a response or by the loss of its server, and the requests that it makes. */
function client(answers, options, addresses = "http://a:1") {
  const requests = [];
  const fetch = async (url, request) => {
    requests.push({ ...request, url, headers: Object.fromEntries(request.headers), body: JSON.parse(request.body) });
    const answer = answers.shift();
    if (!answer) throw new TypeError("fetch failed");
    return answer;
  };
  return { requests, client: new Client(addresses, { fetch, ...options }) };
}

const lines = (...steps) => new Response(steps.map((result) => `${JSON.stringify({ result })}\n`).join(""));
const refused = (status, document, headers) => new Response(JSON.stringify(document), { status, headers });

async function collect(steps) {
  const found = [];
  for await (const one of steps) found.push(one);
  return found;
}

test("an error has all details", async () => {
  const written = {
    code: "INVALID_ARGUMENT",
    message: "no",
    reason: "INVALID_REQUEST",
    metadata: { mistake_count: "1" },
    violations: [{ field: "problem", reason: "REQUIRED", description: "is required" }],
    retry_delay: "0.25s",
  };
  const error = await client([refused(400, written, { "x-request-id": "7" })]).client.call(INFO, {}).catch((error) => error);
  assert.ok(error instanceof CallError);
  assert.deepEqual([error.code, error.reason, error.message], ["INVALID_ARGUMENT", "INVALID_REQUEST", "no"]);
  assert.deepEqual(error.mistakes, [{ field: "problem", reason: "REQUIRED", text: "is required" }]);
  assert.deepEqual([error.metadata, error.retryDelayMs, error.requestId], [{ mistake_count: "1" }, 250, "7"]);
  assert.equal(String(error), "INVALID_REQUEST: no\n  problem: is required (REQUIRED)");
});

test("an answer of a balancer is an error with a code", async () => {
  const page = (status, headers) => new Response("<h1>no</h1>", { status, headers });
  const error = (answer) => client([answer], { attemptsMax: 1 }).client.call(INFO, {}).catch((error) => error);
  assert.equal((await error(page(503, { "retry-after": "2" }))).retryDelayMs, 2000);
  const codes = [];
  for (const status of [401, 404, 502, 503, 504, 500]) codes.push((await error(page(status))).code);
  assert.deepEqual(codes, ["UNAUTHENTICATED", "UNIMPLEMENTED", "UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE", "UNKNOWN"]);
  assert.equal((await error(refused(503, { message: "Service Unavailable" }))).code, "UNAVAILABLE");
  assert.equal((await error(new Response("<h1>hello</h1>"))).code, "UNKNOWN");
});

test("calls are made again only where a server is lost and time is left", () => {
  const forever = new Deadline(Number.POSITIVE_INFINITY);
  const late = lost({ reason: "QUEUE_FULL", retry_delay: "5s" });
  assert.ok(new Deadline(10_000).pause(lost()) > 0);
  assert.ok(forever.pause() > 0);
  assert.equal(new Deadline(10_000).pause(late), 5000);
  assert.equal(new Deadline(3000).pause(late), undefined);
  assert.equal(new Deadline(0).pause(lost()), undefined);
  for (const code of ["INVALID_ARGUMENT", "UNAUTHENTICATED", "RESOURCE_EXHAUSTED"])
    assert.equal(forever.pause(new CallError(code, "no")), undefined);
  assert.equal(forever.pause(new CallError("INTERNAL", "no", { reason: "SEARCH_PANICKED" })), undefined);
  // Watching without a limit makes calls that have one.
  const passed = new CallError("DEADLINE_EXCEEDED", "no", { reason: "DEADLINE_PASSED" });
  assert.ok(forever.pause(passed) > 0);
  assert.equal(new Deadline(0).pause(passed), undefined);
});

test("unary calls are retried as the deployed service config has it", async () => {
  const config = JSON.parse(await readFile(new URL("../../../deploy/service-config.json", import.meta.url)));
  const { maxAttempts, initialBackoff, maxBackoff, backoffMultiplier, retryableStatusCodes } = config.methodConfig[0].retryPolicy;
  const ms = (text) => 1000 * Number.parseFloat(text);
  assert.deepEqual(RETRIES, {
    maxAttempts,
    initialBackoffMs: ms(initialBackoff),
    maxBackoffMs: ms(maxBackoff),
    backoffMultiplier,
    ...config.retryThrottling,
  });
  assert.deepEqual(retryableStatusCodes, ["UNAVAILABLE"]);
  const first = client([undefined, refused(503, { code: "UNAVAILABLE", retry_delay: "0.001s" }), Response.json({ version: "7" })]);
  assert.equal((await first.client.call(INFO, {})).version, "7");
  assert.equal(first.requests.length, 3);
  const second = client([]);
  await assert.rejects(second.client.call(INFO, {}), { code: "UNAVAILABLE" });
  assert.equal(second.requests.length, maxAttempts);
  const third = client([refused(429, { code: "RESOURCE_EXHAUSTED", retry_delay: "0.001s" })]);
  await assert.rejects(third.client.call(INFO, {}), { code: "RESOURCE_EXHAUSTED", retryDelayMs: 1 });
  assert.equal(third.requests.length, 1);
  const fourth = client([refused(503, { code: "UNAVAILABLE", retry_delay: "5s" })], { timeoutMs: 1000 });
  await assert.rejects(fourth.client.call(INFO, {}), { code: "UNAVAILABLE", retryDelayMs: 5000 });
  assert.equal(fourth.requests.length, 1);
});

test("retries end where more calls fail than succeed", async () => {
  const answers = [];
  const { requests, client: down } = client(answers, { attemptsMax: 2 });
  const calls = Array.from({ length: 60 }, () => down.call(INFO, {}).catch(() => {}));
  await Promise.all(calls);
  // Of 100 tokens half are used up.
  assert.equal(requests.splice(0).length, 60 + RETRIES.maxTokens / 2 - 1);
  const successes = RETRIES.maxTokens / 2 / RETRIES.tokenRatio + 4;
  for (let i = 0; i < successes; i += 1) answers.push(Response.json({}));
  for (let i = 0; i < successes; i += 1) await down.call(INFO, {});
  await assert.rejects(down.call(INFO, {}));
  assert.equal(requests.length, successes + 2);
});

test("a call has a deadline, a token and headers", async () => {
  const ask = async (options, terms) => {
    const { requests, client: one } = client([Response.json({})], options, "http://a:1/games/");
    await one.call(INFO, {}, terms);
    return requests[0];
  };
  const { url, headers, body } = await ask({ token: async () => "secret" }, { timeoutMs: 250, headers: { "x-request-id": "7" } });
  assert.equal(url, "http://a:1/games/stratagem.v1.ServerService/GetServerInfo");
  assert.ok(Number(headers["connect-timeout-ms"]) > 200 && Number(headers["connect-timeout-ms"]) <= 250);
  assert.deepEqual([headers.authorization, headers["x-request-id"], body], ["Bearer secret", "7", {}]);
  const without = await ask({ timeoutMs: Number.POSITIVE_INFINITY });
  assert.deepEqual(Object.keys(without.headers), ["content-type"]);
});

test("a deadline ends a call whose server is silent", async () => {
  const fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const silent = new Client("http://a:1", { fetch, timeoutMs: 20 });
  await assert.rejects(silent.call(INFO, {}), { code: "DEADLINE_EXCEEDED" });
  await assert.rejects(collect(silent.follow(STREAM, {})), { code: "DEADLINE_EXCEEDED" });
});

test("a deadline that passes after an abort leaves its reason as it is", async () => {
  const timeoutMs = 20;
  const ending = new AbortController();
  const fetch = (_, { signal }) =>
    new Promise((_, reject) => {
      // The timer of the deadline was set before, for the same time: it ends first.
      signal.addEventListener("abort", () => setTimeout(reject, timeoutMs, signal.reason));
      ending.abort("enough");
    });
  const call = new Client("http://a:1", { fetch }).call(INFO, {}, { timeoutMs, signal: ending.signal });
  await assert.rejects(call, (reason) => reason === "enough");
});

test("a deadline and a signal also end a call that waits for its token", async () => {
  const waiting = client([], { token: () => new Promise(() => {}), timeoutMs: 20 }, ["http://a:1", "http://b:1"]);
  await assert.rejects(waiting.client.call(INFO, {}), { code: "DEADLINE_EXCEEDED" });
  const ending = new AbortController();
  const call = waiting.client.call(INFO, {}, { timeoutMs: Number.POSITIVE_INFINITY, signal: ending.signal });
  ending.abort(new Error("enough"));
  await assert.rejects(call, { message: "enough" });
  assert.deepEqual(waiting.requests, []);
  const aborting = new AbortController();
  const token = () => {
    aborting.abort(new Error("enough"));
    return new Promise(() => {});
  };
  const aborted = client([], { token }).client.call(INFO, {}, { timeoutMs: 20, signal: aborting.signal });
  await assert.rejects(aborted, { message: "enough" });
  const failing = client([], { token: () => Promise.reject(new Error("no token")) });
  await assert.rejects(failing.client.call(INFO, {}), { message: "no token" });
  // The server learns what is left of the deadline.
  const slow = client([Response.json({})], { token: () => new Promise((resolve) => setTimeout(resolve, 100, "secret")) });
  await slow.client.call(INFO, {}, { timeoutMs: 5000 });
  assert.ok(Number(slow.requests[0].headers["connect-timeout-ms"]) <= 4901);
});

test("a signal keeps no listeners of calls that have ended", async () => {
  const { signal } = new AbortController();
  const unavailable = () => refused(503, { code: "UNAVAILABLE", retry_delay: "0.001s" });
  const event = { event: { sequence: 1, state: "JOB_STATE_FAILED" } };
  const answers = [Response.json({}), unavailable(), Response.json({}), refused(400, {}), lines(1, 2), lines(step([5])), unavailable()];
  const { requests, client: one } = client([...answers, lines(step([4], { stop_reason: "STOP_REASON_PROVED" })), lines(), lines(event)]);
  for (let i = 0; i < 3; i += 1) await one.call(INFO, {}, { signal }).catch(() => {});
  for await (const _ of one.stream(STREAM, {}, { signal })) break;
  await collect(one.follow(STREAM, {}, { signal }));
  await collect(one.jobs.watch("j", { signal }));
  assert.equal(requests.length, 10);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("the next call goes to another server after one that is silent or has no more", async () => {
  const hosts = [];
  const fetch = (url, { signal }) => {
    hosts.push(new URL(url).host);
    if (url.startsWith("http://a:1")) return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return Promise.resolve(Response.json({}));
  };
  const two = new Client(["http://a:1", "http://b:1"], { fetch, timeoutMs: 20 });
  await assert.rejects(two.call(INFO, {}), { code: "DEADLINE_EXCEEDED" });
  await two.call(INFO, {});
  assert.deepEqual(hosts, ["a:1", "b:1"]);

  const error = new Response('{"error": {"code": "UNAVAILABLE", "reason": "DRAINING"}}\n');
  const { requests, client: other } = client([error, Response.json({})], {}, ["http://a:1", "http://b:1"]);
  await assert.rejects(collect(other.stream(STREAM, {})), { reason: "DRAINING" });
  await other.call(INFO, {});
  assert.deepEqual(requests.map(({ url }) => new URL(url).host), ["a:1", "b:1"]);
});

test("addresses are of HTTP", () => {
  for (const wrong of ["127.0.0.1:50051", "localhost:50051", "/", []]) assert.throws(() => new Client(wrong), TypeError);
});

test("lines are read in whatever pieces they come", async () => {
  const bytes = new TextEncoder().encode('{"result": {"plan": "é"}}\n\n{"result": {"plan": 2}}');
  const body = new ReadableStream({
    start: (to) => {
      for (const byte of bytes) to.enqueue(Uint8Array.of(byte));
      to.close();
    },
  });
  const found = await collect(client([new Response(body)]).client.stream(STREAM, {}));
  assert.deepEqual(found, [{ plan: "é" }, { plan: 2 }]);
});

test("an error is the last line of a stream", async () => {
  const body = '{"result": 1}\n{"error": {"code": "INTERNAL", "reason": "SEARCH_PANICKED"}}\n';
  const found = [];
  const read = async () => {
    for await (const one of client([new Response(body)]).client.stream(STREAM, {})) found.push(one);
  };
  await assert.rejects(read(), { code: "INTERNAL", reason: "SEARCH_PANICKED" });
  assert.deepEqual(found, [1]);
});

test("errors within a stream have the id of the call", async () => {
  const begun = (end) => new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('{"result": 1}\n')), pull: end });
  const error = '{"error": {"code": "INTERNAL", "reason": "SEARCH_PANICKED"}}\n';
  const cases = [
    ["INTERNAL", error],
    ["UNKNOWN", '{"result": 1}\n{"resu'],
    ["UNAVAILABLE", begun((to) => to.error(new TypeError("terminated")))],
    ["DEADLINE_EXCEEDED", begun(() => new Promise(() => {}))],
  ];
  for (const [code, body] of cases) {
    const fetch = async (_, { signal }) => {
      const response = new Response(body, { headers: { "x-request-id": "7" } });
      // As of `fetch`, whose signal also ends the body.
      if (typeof body === "string") return response;
      const { readable, writable } = new TransformStream();
      response.body.pipeTo(writable, { signal }).catch(() => {});
      return new Response(readable, response);
    };
    const calls = new Client("http://a:1", { fetch, timeoutMs: 200 });
    await assert.rejects(collect(calls.stream(STREAM, {})), { code, requestId: "7" });
  }
});

test("leaving a stream ends its call", async () => {
  let isGone = false;
  const body = new ReadableStream({
    start: (to) => to.enqueue(new TextEncoder().encode('{"result": 1}\n{"result": 2}\n')),
    cancel: () => {
      isGone = true;
    },
  });
  const { requests, client: one } = client([new Response(body)]);
  for await (const step of one.stream(STREAM, {})) {
    assert.equal(step, 1);
    break;
  }
  assert.ok(isGone);
  assert.ok(requests[0].signal.aborted);
});

test("only better plans and the report are handed on", () => {
  const best = new Best();
  const given = [step([0, 9]), step([0, 9]), step([0, 9], { heartbeat: true }), step([1, 2]), step([0, 8])];
  const found = taken(best, ...given, step([0, 8], { stop_reason: "STOP_REASON_DEADLINE" }));
  assert.deepEqual(found, [[[0, 9], false], [[0, 8], false], [[0, 8], true]]);
  assert.ok(best.ended);
});

test("plans are compared as numbers, also those that are infinite", () => {
  const found = taken(new Best(), step(["Infinity", 9]), step([10, 1]), step([9, 5]), step([9, "Infinity"]));
  assert.deepEqual(found, [[["Infinity", 9], false], [[10, 1], false], [[9, 5], false]]);
});

test("the report of a server that drains is kept back", () => {
  const best = new Best();
  const drained = step([3], { stop_reason: "STOP_REASON_DRAINING" });
  assert.deepEqual(taken(best, step([5]), drained), [[[5], false], [[3], false]]);
  assert.ok(!best.ended);
  const [last] = best.close(lost());
  assert.equal(last.report.stop_reason, "STOP_REASON_DRAINING");
  assert.equal(last.plan.routes[0].agent_id, "3");
});

test("the last plan is the best of all servers", () => {
  for (const worse of [[4], []]) {
    const best = new Best();
    best.take(step([3]));
    const [last] = best.take(step(worse, { stop_reason: "STOP_REASON_DEADLINE" }));
    assert.equal(last.plan.routes[0].agent_id, "3");
    assert.equal(last.report.stop_reason, "STOP_REASON_DEADLINE");
    assert.deepEqual(last.report.objective.levels, [3]);
    assert.equal(last.report.gap, undefined);
  }
});

test("a plan without an objective is a plan", () => {
  const best = new Best();
  assert.equal(best.take({ plan: {} }).length, 1);
  assert.deepEqual(best.take({ event: { heartbeat: true } }), []);
  assert.deepEqual(best.close(lost()), []);
});

test("a search without a plan ends with its report or error", () => {
  const best = new Best();
  assert.deepEqual(taken(best, step([], { stop_reason: "STOP_REASON_DRAINING" })), []);
  assert.equal(best.close().length, 1);
  assert.throws(() => new Best().close(lost()), CallError);
  assert.deepEqual(taken(new Best(), step([], { stop_reason: "STOP_REASON_PROVED" })), [[[], true]]);
});

test("a search that is followed goes from server to server", async () => {
  const draining = lines(step([5]), step([4], { stop_reason: "STOP_REASON_DRAINING" }));
  const answers = [lines(step([9])), undefined, draining, lines(step([6], { stop_reason: "STOP_REASON_DEADLINE" }))];
  const { requests, client: one } = client(answers, {}, ["http://a:1", "http://b:1", "http://c:1"]);
  const steps = await collect(one.follow(STREAM, { problem: {} }));
  assert.deepEqual(requests.map(({ url }) => new URL(url).hostname), ["a", "b", "c", "a"]);
  assert.deepEqual(steps.map(({ plan }) => plan.routes[0].agent_id), ["9", "5", "4", "4"]);
  assert.equal(steps.at(-1).report.stop_reason, "STOP_REASON_DEADLINE");
});

test("a search that is followed leaves a server that fails", async () => {
  for (const failure of [new Response("<h1>no</h1>", { status: 500 }), new Response('{"resu')]) {
    const answers = [failure, lines(step([5], { stop_reason: "STOP_REASON_DEADLINE" }))];
    const { requests, client: one } = client(answers, {}, ["http://a:1", "http://b:1"]);
    assert.equal((await collect(one.follow(STREAM, {}))).at(-1).report.stop_reason, "STOP_REASON_DEADLINE");
    assert.deepEqual(requests.map(({ url }) => new URL(url).hostname), ["a", "b"]);
  }
});

test("a search that is followed calls the server that was current when it began to wait for its token", async () => {
  const draining = lines(step([5], { stop_reason: "STOP_REASON_DRAINING" }));
  const answers = [undefined, draining, lines(step([6], { stop_reason: "STOP_REASON_DEADLINE" }))];
  let give;
  const tokens = [new Promise((resolve) => (give = resolve))];
  const options = { token: () => tokens.shift() ?? "", attemptsMax: 1 };
  const { requests, client: one } = client(answers, options, ["http://a:1", "http://b:1"]);
  const steps = collect(one.follow(STREAM, { problem: {} }));
  // Another call loses that server.
  await assert.rejects(one.call(INFO, {}), { code: "UNAVAILABLE" });
  give("");
  assert.equal((await steps).at(-1).report.stop_reason, "STOP_REASON_DEADLINE");
  assert.deepEqual(requests.map(({ url }) => new URL(url).hostname), ["a", "a", "b"]);
});

test("a request for a job can be repeated", async () => {
  const answers = [undefined, Response.json({ job: { job_id: "j" } }), Response.json({ job: { job_id: "k" } })];
  const { requests, client: one } = client(answers);
  const create = (terms) => one.jobs.create("PuzzleService/StreamGeneratePuzzle", { options: {} }, terms);
  assert.equal((await create()).job_id, "j");
  await create({ requestId: "friday", labels: { level: "7" }, deadlineMs: 500, keepMs: 2000 });
  const [first, again, other] = requests.map(({ body }) => body);
  assert.ok(first.request_id);
  assert.deepEqual(first, again);
  assert.deepEqual(other, {
    request_id: "friday",
    request: { generate_puzzle: { options: {} } },
    labels: [{ key: "level", value: "7" }],
    deadline_duration: "0.500000s",
    keep_duration: "2.000000s",
  });
});

test("a job is watched from the last event that was seen", async () => {
  const event = (sequence, state) => ({ event: { sequence, state } });
  // A stream that ends before the job is one of a server that drains.
  const answers = [lines(event(4), event(6)), undefined, lines(event(7, "JOB_STATE_FAILED"))];
  const { requests, client: one } = client(answers, {}, ["http://a:1", "http://b:1", "http://c:1"]);
  const events = await collect(one.jobs.watch("j", { afterSequence: 3 }));
  assert.deepEqual(events.map(({ sequence }) => sequence), [4, 6, 7]);
  assert.deepEqual(requests.map(({ url, body }) => [new URL(url).hostname, body.after_sequence]), [["a", 3], ["b", 6], ["c", 6]]);
  const { client: late } = client([lines(event(4))], { timeoutMs: 30 });
  await assert.rejects(collect(late.jobs.watch("j", { timeoutMs: 1 })), { code: "DEADLINE_EXCEEDED" });
});
