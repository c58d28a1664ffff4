// The page: what is chosen, what is searched, what is shown. Everything else is asked from here.

import { Asks } from "./asks.js";
import { authorize, client } from "./client.js";
import { byId, el, say, shown } from "./dom.js";
import { ask, early, FIRST } from "./early.js";
import { Editor } from "./editor.js";
import { duration } from "./inputs.js";
import { listen } from "./keys.js";
import { askOf, PLANNERS } from "./planners.js";
import { apply } from "./relax.js";
import * as report from "./report.js";
import { Run } from "./run.js";
import { clear, ready, special } from "./specials/all.js";
import { Stage } from "./stage.js";

/** What may be in an answer of many megabytes is drawn this often at most. */
const FRAME_MS = 60;

const stage = new Stage(byId("stage"), "The plan");
const other = new Stage(byId("other"), "The kept run");
/** @type {Editor} */
let editor;
/** @type {Asks} */
let asks;
/** @type {Run | null} */
let run = null;
/** @type {Run | null} */
let kept = null;
let methods = new Map();
/** @type {any[]} summaries of all examples */
let examples = [];
/** How often something has been chosen to be opened: what was chosen before comes too late. */
let choices = 0;
/** The strategy that a link names, for when strategies are known. */
let wanted = "";

/** The options as they stand; throws where they make no sense. */
function options() {
  const budget = duration(byId("budget").value);
  if (!budget) throw new Error("the budget is no time, as in 3s or 1min");
  const found = { time_budget: budget, seed: byId("seed").value.trim() || "0" };
  if (!/^-?\d{1,19}$/.test(found.seed)) throw new Error("the seed is no whole number");
  if (byId("strategy").value) found.strategy = byId("strategy").value;
  const iterations = byId("iterations").value.trim();
  if (iterations && !/^\d{1,13}$/.test(iterations)) throw new Error("iterations are a whole number");
  if (iterations) found.max_iterations = iterations;
  return found;
}

/**
 * Searches.
 * @param {any} [extra] other fields of the request
 */
function start(extra = {}) {
  run?.stop();
  performance.clearMarks("picture");
  performance.mark("run");
  let chosen;
  try {
    // Another problem than the one that is seen would be searched.
    if (editor.broken) throw new Error(`the problem is no JSON: ${editor.broken}`);
    chosen = options();
  } catch (error) {
    say(error.message, "bad");
    return;
  }
  say("");
  const mine = new Run(editor.planner, editor.problem, chosen, { ask: editor.ask, extra: { ...editor.extra, ...extra } });
  show(mine);
  mine.start();
  tell();
}

/** Shows a search while it goes on, pictures first. */
function show(mine) {
  run = mine;
  stage.follow(mine);
  let waiting = 0;
  const soon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      if (run === mine) tell();
    }, FRAME_MS);
  };
  mine.addEventListener("better", () => run === mine && stage.change());
  mine.addEventListener("step", soon);
  mine.addEventListener("end", () => {
    if (run !== mine) return;
    if (mine.error) editor.refused(mine.error);
    else if (!editor.broken) editor.report([]);
    stage.change();
    tell();
  });
  guarded(() => special(byId("special"), mine, { stage, start, editor }));
}

/** Shows an answer that was had elsewhere: by a job. */
async function answered({ planner, problem, options, ask, extra }, answer) {
  run?.stop();
  // What is shown of a plan needs its problem: a slider that is moved, a relaxation that is applied.
  if (editor.planner !== planner) adopt(planner, structuredClone(problem), "The problem of the job is open.");
  const mine = new Run(planner, problem, options, { ask: ask.name, extra });
  show(mine);
  mine.take(answer);
  await mine.verify();
  mine.tell("end");
}

/** Shows what is known by now. */
function tell() {
  byId("run").disabled = run.running;
  byId("stop").disabled = !run.running;
  byId("keep").disabled = !run.best && !kept;
  report.show(run, kept, { reveal: (field) => editor.reveal(field), relax });
  document.body.dataset.state = run.running ? "running" : run.error ? "failed" : "done";
}

/** Makes a change that is proved to help, and searches again. */
function relax(relaxation) {
  try {
    const changed = apply(editor.planner, editor.problem, relaxation);
    editor.replaced();
    if (editor.tab !== "json")
      editor.form.reveal(
        changed[0]
          .map((s) => (typeof s === "number" ? `[${s}]` : `.${s}`))
          .join("")
          .slice(1),
      );
    start();
  } catch (error) {
    say(error.message, "bad");
  }
}

/** Keeps a search to compare the next ones with; or lets go of it. */
function keep() {
  if (kept) letGo();
  else {
    kept = run;
    byId("keep").textContent = "Stop comparing";
    byId("other").hidden = false;
    other.show(kept);
  }
  if (run) tell();
  else byId("keep").disabled = true;
}

function letGo() {
  kept = null;
  byId("keep").textContent = "Keep to compare";
  byId("other").hidden = true;
}

/** Offers the strategies of the planner, as far as they are known. */
function strategies() {
  const method = methods.get(`stratagem.v1.${askOf(byId("planner").value, byId("ask").value).method}`);
  const all = (method?.strategies ?? []).map((one) => el("option", { value: one.name, title: one.description }, one.name));
  byId("strategy").replaceChildren(...all);
}

/**
 * Begins to edit a problem.
 * @param {string} planner
 * @param {any} problem
 */
function open(planner, problem, name = "", extra = {}) {
  run?.stop();
  run = null;
  if (kept && kept.planner !== planner) letGo();
  byId("planner").value = planner;
  asks.open(planner, name, extra);
  strategies();
  for (const part of ["badge", "status", "terms", "why", "help", "chart"]) byId(part).replaceChildren();
  clear(byId("special"));
  document.body.dataset.state = "ready";
  byId("keep").disabled = !kept;
  byId("stop").disabled = true;
  byId("run").disabled = false;
  editor.open(planner, problem);
  preview();
  guarded(() => ready(planner));
}

/** The problem alone, before anything is searched. */
function preview() {
  const empty = new Run(editor.planner, editor.problem, {});
  stage.show(empty);
}

async function example(name, known = undefined) {
  choices += 1;
  const mine = choices;
  const { summary, problem } = await (known ?? client.call("ServerService/GetExample", { name }));
  if (mine !== choices) return;
  byId("example").value = name;
  open(summary.planner, problem[summary.planner]);
  say(summary.description ?? "");
}

/** Offers the examples of the chosen planner, and returns them. */
function names() {
  const mine = examples.filter((one) => one.planner === byId("planner").value);
  byId("example").replaceChildren(
    el("option", { value: "" }, "–"),
    ...mine.map((one) => el("option", { value: one.name, title: one.description }, shown(one.title || one.name, 80))),
  );
  return mine;
}

/** Runs an action, and shows its error. */
async function guarded(act) {
  try {
    await act();
  } catch (error) {
    if (error.code === "UNAUTHENTICATED" || error.code === "PERMISSION_DENIED") askForToken(error);
    else say(error.message, "bad");
  }
}

/** Shows the field for a token where the server requires one. */
function askForToken(error) {
  const missing = error.reason === "TOKEN_MISSING";
  say(missing ? "This server asks for a token: type it in under ⚙." : `The token is not taken: ${error.message}`, "bad");
  byId("preferences").open = true;
  byId("token").focus();
}

/** What a link is made of, and what it leads back to. */
async function link() {
  const { planner, problem, extra } = editor;
  const { fragment } = await import("./share.js");
  const text = await fragment({
    planner,
    problem,
    ask: editor.ask,
    extra,
    seed: byId("seed").value,
    budget: byId("budget").value,
    strategy: byId("strategy").value,
    iterations: byId("iterations").value,
  });
  history.replaceState(null, "", text);
  // There is none where the page is not encrypted, unless it is of this machine; and it may be forbidden.
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  const where = copied ? "it has been copied" : "copy it from there";
  say(`The address of this page holds the problem now (${text.length} characters); ${where}.`);
}

/** What the address of the page holds; an empty object where that is damaged. */
async function held() {
  if (!location.hash) return undefined;
  const { shared } = await import("./share.js");
  return shared(location.hash).catch(() => ({}));
}

async function first(known = undefined) {
  choices += 1;
  const mine = choices;
  const given = await held();
  if (mine !== choices) return;
  if (!given || !Object.hasOwn(PLANNERS, given.planner) || !given.problem || typeof given.problem !== "object") {
    names();
    await example(FIRST, known);
    if (given) say("The link is damaged: this is an example.", "bad");
    return;
  }
  byId("planner").value = given.planner;
  names();
  open(given.planner, given.problem, String(given.ask ?? ""), given.extra && typeof given.extra === "object" ? given.extra : {});
  byId("seed").value = given.seed ?? "0";
  byId("budget").value = given.budget ?? "3s";
  byId("iterations").value = given.iterations ?? "";
  wanted = given.strategy ?? "";
  if (wanted) byId("strategy").value = wanted;
}

async function opens(file) {
  const { opened } = await import("./open.js");
  const { planner, problem, note } = await opened(file, editor.planner);
  adopt(planner, problem, note ?? `${file.name} is open`);
}

/** Begins to edit what is no example. */
function adopt(planner, problem, note) {
  choices += 1;
  byId("planner").value = planner;
  names();
  open(planner, problem);
  editor.validate();
  say(note);
}

/** Lets buttons and fields do what they are for. */
function wire() {
  const planners = Object.entries(PLANNERS).map(([name, one]) => el("option", { value: name }, one.title));
  byId("planner").replaceChildren(...planners);
  byId("planner").addEventListener("change", () => {
    const [first] = names();
    if (first) guarded(() => example(first.name));
  });
  byId("example").addEventListener("change", (event) => event.target.value && guarded(() => example(event.target.value)));
  byId("run").addEventListener("click", () => start());
  byId("stop").addEventListener("click", () => run?.stop());
  byId("keep").addEventListener("click", keep);
  byId("share").addEventListener("click", () => guarded(link));
  byId("theme").addEventListener("change", (event) => {
    if (event.target.value) document.documentElement.dataset.theme = event.target.value;
    else delete document.documentElement.dataset.theme;
  });
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) guarded(() => opens(file));
    event.target.value = "";
  });
  byId("token").addEventListener("change", (event) => {
    authorize(event.target.value);
    // A server that requires one has sent nothing yet.
    if (examples.length) return;
    guarded(async () => {
      await connect(ask());
      byId("preferences").open = false;
    });
  });
  listen({ start, stop: () => run?.stop(), step: (by) => stage.run && stage.choose(stage.index + by) });
  addEventListener("hashchange", () => guarded(() => first()));
}

/** What is loaded later: painting, saving, jobs, books. */
async function furnish() {
  const all = [import("./paint.js"), import("./saves.js"), import("./jobs.js"), import("./learn.js")];
  const [{ paint }, { offer }, { jobs }, { learn }] = await Promise.all(all);
  paint(editor);
  offer(byId("saves"), () => ({ run, editor, incumbent: stage.incumbent }), guarded);
  jobs(byId("jobs"), { editor, options, answered, guarded });
  learn(byId("books"), { guarded, opens: (problem) => adopt("story", problem, "What was learned is open: look it over, and run.") });
  document.body.dataset.furnished = "";
}

/** Takes what the server has, and begins; strategies come when they come. */
async function connect({ info, list, example: known }) {
  // The first example is there before the list of all of them, as a rule.
  const listed = list.then((answer) => {
    examples = answer.examples ?? [];
  });
  guarded(async () => {
    const server = await info;
    methods = new Map((server.methods ?? []).map((method) => [method.name, method]));
    strategies();
    if (wanted) byId("strategy").value = wanted;
  });
  await listed;
  await first(known);
  performance.mark("interactive");
  document.body.dataset.state ||= "ready";
}

async function main() {
  const contract = await fetch("contract.json");
  editor = new Editor(await contract.json());
  asks = new Asks(editor, strategies);
  wire();
  await connect(early).finally(() => guarded(furnish));
}

guarded(main);
