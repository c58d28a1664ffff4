// The page: connects the parts, starts searches and shows results.

import { authorize, client } from "./client.js";
import { byId, el, say, shown } from "./dom.js";
import { Editor } from "./editor.js";
import { duration } from "./inputs.js";
import { listen } from "./keys.js";
import { MethodForm } from "./methods.js";
import { clear, loadPanel, showPanel } from "./panels/index.js";
import { methodOf, PLANNERS } from "./planners.js";
import { apply } from "./relax.js";
import * as report from "./report.js";
import { Run } from "./run.js";
import { Stage } from "./stage.js";
import { FIRST, firstCalls, startup } from "./startup.js";

/** Shortest time between two updates, since responses may have megabytes. */
const FRAME_MS = 60;

const stage = new Stage(byId("stage"), "The plan");
const other = new Stage(byId("other"), "The kept run");
/** @type {Editor} */
let editor;
/** @type {MethodForm} */
let methodForm;
/** @type {Run | null} */
let run = null;
/** @type {Run | null} */
let kept = null;
let methods = new Map();
/** @type {any[]} summaries of all examples */
let examples = [];
/** Number of problems chosen so far: responses for earlier choices are ignored. */
let choices = 0;
/** The strategy of a link, selected once strategies are loaded. */
let linkedStrategy = "";

/** The chosen options. Throws if one is invalid. */
function options() {
  const budget = duration(byId("budget").value);
  if (!budget) throw new Error(`budget must be a duration as in 3s or 1min, got ${byId("budget").value}`);
  const found = { time_budget: budget, seed: byId("seed").value.trim() || "0" };
  if (!/^-?\d{1,19}$/.test(found.seed)) throw new Error(`seed must be a whole number, got ${found.seed}`);
  if (byId("strategy").value) found.strategy = byId("strategy").value;
  const iterations = byId("iterations").value.trim();
  if (iterations && !/^\d{1,13}$/.test(iterations)) throw new Error(`iterations must be a whole number, got ${iterations}`);
  if (iterations) found.max_iterations = iterations;
  return found;
}

/**
 * Starts a search.
 * @param {any} [extra] other fields of the request
 */
function start(extra = {}) {
  run?.stop();
  performance.clearMarks("picture");
  performance.mark("run");
  let chosen;
  try {
    // The problem is older than the text on the page.
    if (editor.syntaxError) throw new Error(`the problem is invalid JSON: ${editor.syntaxError}`);
    chosen = options();
  } catch (error) {
    say(error.message, "bad");
    return;
  }
  say("");
  const mine = new Run(editor.planner, editor.problem, chosen, { method: editor.method, extra: { ...editor.extra, ...extra } });
  show(mine);
  mine.start();
  refresh();
}

/** Shows a search while it runs, pictures first. */
function show(mine) {
  run = mine;
  stage.follow(mine);
  let waiting = 0;
  const soon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      if (run === mine) refresh();
    }, FRAME_MS);
  };
  mine.addEventListener("better", () => run === mine && stage.change());
  mine.addEventListener("step", soon);
  mine.addEventListener("end", () => {
    if (run !== mine) return;
    if (mine.error) editor.refused(mine.error);
    else if (!editor.syntaxError) editor.report([]);
    stage.change();
    refresh();
  });
  guarded(() => showPanel(byId("panel"), mine, { stage, start, editor }));
}

/** Shows the response of a job. */
async function showResponse({ planner, problem, options, method, extra }, answer) {
  run?.stop();
  // Sliders and relaxations of the plan change the problem that is open.
  if (editor.planner !== planner) openOwn(planner, structuredClone(problem), "The problem of the job is open.");
  const mine = new Run(planner, problem, options, { method: method.name, extra });
  show(mine);
  mine.receive(answer);
  await mine.verify();
  mine.notify("end");
}

/** Updates buttons and the report. */
function refresh() {
  byId("run").disabled = run.running;
  byId("stop").disabled = !run.running;
  byId("keep").disabled = !run.best && !kept;
  report.show(run, kept, { reveal: (field) => editor.reveal(field), relax });
  document.body.dataset.state = run.running ? "running" : run.error ? "failed" : "done";
}

/** Applies a relaxation, and searches again. */
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

/** Starts or ends the comparison with this search. */
function toggleComparison() {
  if (kept) stopComparing();
  else {
    kept = run;
    byId("keep").textContent = "Stop comparing";
    byId("other").hidden = false;
    other.show(kept);
  }
  if (run) refresh();
  else byId("keep").disabled = true;
}

function stopComparing() {
  kept = null;
  byId("keep").textContent = "Keep to compare";
  byId("other").hidden = true;
}

/** Offers the strategies of the method, once they are loaded. */
function strategies() {
  const method = methods.get(`stratagem.v1.${methodOf(byId("planner").value, byId("method").value).rpc}`);
  const all = (method?.strategies ?? []).map((one) => el("option", { value: one.name, title: one.description }, one.name));
  byId("strategy").replaceChildren(...all);
}

/**
 * Opens a problem.
 * @param {string} planner
 * @param {any} problem
 */
function open(planner, problem, name = "", extra = {}) {
  run?.stop();
  run = null;
  if (kept && kept.planner !== planner) stopComparing();
  byId("planner").value = planner;
  methodForm.open(planner, name, extra);
  strategies();
  for (const part of ["badge", "status", "terms", "why", "help", "chart"]) byId(part).replaceChildren();
  clear(byId("panel"));
  document.body.dataset.state = "ready";
  byId("keep").disabled = !kept;
  byId("stop").disabled = true;
  byId("run").disabled = false;
  editor.open(planner, problem);
  preview();
  guarded(() => loadPanel(planner));
}

/** Shows the problem without a plan. */
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
function listExamples() {
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
  say(missing ? "This server requires a token: enter it under ⚙." : `The token is not accepted: ${error.message}`, "bad");
  byId("preferences").open = true;
  byId("token").focus();
}

/** Puts the problem and the options into the address of the page, and copies it. */
async function copyLink() {
  const { planner, problem, extra } = editor;
  const { fragment } = await import("./share.js");
  const text = await fragment({
    planner,
    problem,
    // The name in links that users have stored.
    ask: editor.method,
    extra,
    seed: byId("seed").value,
    budget: byId("budget").value,
    strategy: byId("strategy").value,
    iterations: byId("iterations").value,
  });
  history.replaceState(null, "", text);
  // Pages without TLS have no clipboard, except on localhost, and users can forbid it.
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  const where = copied ? "it has been copied" : "copy it from there";
  say(`The address of this page now contains the problem (${text.length} characters); ${where}.`);
}

/** Problem and options in the address of the page; an empty object if they are damaged. */
async function linked() {
  if (!location.hash) return undefined;
  const { shared } = await import("./share.js");
  return shared(location.hash).catch(() => ({}));
}

async function openFirst(known = undefined) {
  choices += 1;
  const mine = choices;
  const given = await linked();
  if (mine !== choices) return;
  if (!given || !Object.hasOwn(PLANNERS, given.planner) || !given.problem || typeof given.problem !== "object") {
    listExamples();
    await example(FIRST, known);
    if (given) say("The link is damaged: an example was opened instead.", "bad");
    return;
  }
  byId("planner").value = given.planner;
  listExamples();
  open(given.planner, given.problem, String(given.ask ?? ""), given.extra && typeof given.extra === "object" ? given.extra : {});
  byId("seed").value = given.seed ?? "0";
  byId("budget").value = given.budget ?? "3s";
  byId("iterations").value = given.iterations ?? "";
  linkedStrategy = given.strategy ?? "";
  if (linkedStrategy) byId("strategy").value = linkedStrategy;
}

async function openFrom(file) {
  const { openFile } = await import("./open.js");
  const { planner, problem, note } = await openFile(file, editor.planner);
  openOwn(planner, problem, note ?? `${file.name} is open`);
}

/** Opens a problem that is not an example. */
function openOwn(planner, problem, note) {
  choices += 1;
  byId("planner").value = planner;
  listExamples();
  open(planner, problem);
  editor.validate();
  say(note);
}

/** Adds the listeners of buttons and fields. */
function addListeners() {
  const planners = Object.entries(PLANNERS).map(([name, one]) => el("option", { value: name }, one.title));
  byId("planner").replaceChildren(...planners);
  byId("planner").addEventListener("change", () => {
    const [first] = listExamples();
    if (first) guarded(() => example(first.name));
  });
  byId("example").addEventListener("change", (event) => event.target.value && guarded(() => example(event.target.value)));
  byId("run").addEventListener("click", () => start());
  byId("stop").addEventListener("click", () => run?.stop());
  byId("keep").addEventListener("click", toggleComparison);
  byId("share").addEventListener("click", () => guarded(copyLink));
  byId("theme").addEventListener("change", (event) => {
    if (event.target.value) document.documentElement.dataset.theme = event.target.value;
    else delete document.documentElement.dataset.theme;
  });
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) guarded(() => openFrom(file));
    event.target.value = "";
  });
  byId("token").addEventListener("change", (event) => {
    authorize(event.target.value);
    // A server that requires a token has sent nothing yet.
    if (examples.length) return;
    guarded(async () => {
      await connect(firstCalls());
      byId("preferences").open = false;
    });
  });
  listen({ start, stop: () => run?.stop(), step: (by) => stage.run && stage.choose(stage.index + by) });
  addEventListener("hashchange", () => guarded(() => openFirst()));
}

/** Loads the parts that the first view does not need. */
async function loadLater() {
  const all = [import("./paint.js"), import("./saves.js"), import("./jobs.js"), import("./learn.js")];
  const [{ paint }, { offer }, { jobs }, { learn }] = await Promise.all(all);
  paint(editor);
  offer(byId("saves"), () => ({ run, editor, incumbent: stage.incumbent }), guarded);
  jobs(byId("jobs"), { editor, options, showResponse, guarded });
  learn(byId("books"), { guarded, open: (problem) => openOwn("story", problem, "The learned domain is open: check it, then press Run.") });
  document.body.dataset.loaded = "";
}

/** Loads examples and methods, and opens the first problem without waiting for the strategies. */
async function connect({ info, list, example: known }) {
  // The first example usually arrives before the list of examples.
  const listed = list.then((answer) => {
    examples = answer.examples ?? [];
  });
  guarded(async () => {
    const server = await info;
    methods = new Map((server.methods ?? []).map((method) => [method.name, method]));
    strategies();
    if (linkedStrategy) byId("strategy").value = linkedStrategy;
  });
  await listed;
  await openFirst(known);
  performance.mark("interactive");
  document.body.dataset.state ||= "ready";
}

async function main() {
  const contract = await fetch("contract.json");
  editor = new Editor(await contract.json());
  methodForm = new MethodForm(editor, strategies);
  addListeners();
  await connect(startup).finally(() => guarded(loadLater));
}

guarded(main);
