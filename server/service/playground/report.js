// The report of a search: verification, status, terms of the cost, explanation and relaxations.

import { draw } from "./chart.js";
import { byId, button, el, shown } from "./dom.js";
import { describe } from "./relax.js";
import { number, seconds, spaced, time, word } from "./words.js";

/** Largest number of reasons and members of conflicts. */
const LINES_MAX = 60;

/**
 * Shows the report of a search, and a comparison with another one.
 * @param {import("./run.js").Run} run
 * @param {import("./run.js").Run | null} other
 * @param {{reveal: (field: string) => void, relax: (relaxation: any) => void}} act
 */
export function show(run, other, act) {
  // Without a plan there is no curve.
  for (const part of ["chart", "key"]) byId(part).toggleAttribute("hidden", !run.running && !run.best);
  draw(byId("chart"), other ? [run, other] : [run]);
  byId("status").replaceChildren(...status(run));
  byId("badge").replaceChildren(badge(run));
  byId("terms").replaceChildren(...terms(run, other));
  byId("why").replaceChildren(...explanation(run, act));
  byId("help").replaceChildren(...relaxations(run, act));
}

function status(run) {
  const { report } = run;
  if (run.error) return [el("p", { class: "bad", role: "alert" }, shown(run.error.message))];
  if (run.running) return [el("p", {}, `searching … ${run.incumbents.length} plans so far`)];
  if (!report) return [el("p", {}, run.incumbents.length ? "stopped" : "")];
  const facts = [
    ["status", word(report.status, "SOLVE_STATUS_")],
    ["stopped by", word(report.stop_reason, "STOP_REASON_")],
    ["gap", report.gap == null ? "no bound" : `${number(100 * report.gap)} %`],
    [
      "bound",
      report.bound
        ? `${report.bound.levels.map((l) => number(Number(l))).join(" / ")} (${spaced(report.bound.method ?? "")})`
        : "–",
    ],
    ["strategy", report.strategy],
    ["seed", report.seed ?? "0"],
    ["iterations", report.iterations ?? "0"],
    ["search", time(seconds(report.timings?.solve_duration))],
    ["first plan", report.timings?.first_plan_duration ? time(seconds(report.timings.first_plan_duration)) : "–"],
    ["reproducible", report.reproducible ? "yes" : "no, it ended by time"],
  ];
  return [el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, shown(value, 80))]))];
}

/** The result of the verification, and whether its cost is that of the search. */
function badge(run) {
  const { verification } = run;
  if (!verification) return el("span", { class: "badge" }, run.best ? "not checked" : run.running ? "not checked yet" : "no plan");
  if (!verification.valid) {
    const lines = (verification.violations ?? [])
      .slice(0, LINES_MAX)
      .map((one) => el("li", {}, shown(`${one.field ?? ""} ${one.message}`)));
    return el("div", {}, el("span", { class: "badge bad", "data-claim": "broken" }, "✗ breaks rules"), el("ul", {}, ...lines));
  }
  const { claimed, simulated } = verification;
  const found = verification.objective?.levels;
  const agrees = !found || !claimed?.length || String(found.map(Number)) === String(claimed);
  const good = simulated ? "✓ verified by simulation: lost without help, won with it" : "✓ verified: all rules satisfied, cost recomputed";
  const text = agrees ? good : "✗ satisfies the rules, but its cost differs from that of the search";
  const whole = verification.partial ? `${text}; some requested parts are left out` : text;
  return el("span", { class: agrees ? "badge good" : "badge bad", "data-claim": agrees ? "verified" : "differs" }, whole);
}

function terms(run, other) {
  const mine = run.best?.objective?.terms ?? [];
  if (!mine.length) return [];
  const theirs = new Map((other?.best?.objective?.terms ?? []).map((term) => [term.name, term.value]));
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "term"),
    el("th", { scope: "col" }, "value"),
    other ? el("th", { scope: "col" }, "kept run") : null,
  );
  const line = (term) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, shown(spaced(term.name), 60)),
      el("td", {}, `${number(Number(term.value ?? 0))} ${shown(term.unit ?? "", 20)}`),
      other ? el("td", {}, number(Number(theirs.get(term.name) ?? 0))) : null,
    );
  return [el("h2", {}, "Cost"), el("table", {}, el("thead", {}, head), el("tbody", {}, ...mine.map(line)))];
}

/** Reasons and conflicts. A click shows the field. */
function explanation(run, { reveal }) {
  const { explanation: found, notes } = run.report ?? {};
  const conflict = run.answer?.conflict;
  const lines = (found?.reasons ?? []).map((one) => ({
    text: one.message,
    field: one.field || pathOf(run.problem, one.subject_id),
  }));
  for (const one of notes ?? []) lines.push({ text: one.message, field: one.field });
  for (const one of found?.certificates ?? [])
    lines.unshift({ text: `Proved: ${one.message}`, field: pathOf(run.problem, one.subject_ids?.[0]) });
  for (const member of conflict?.members ?? [])
    lines.push({ text: member.message, field: pathOf(run.problem, memberId(member)) });
  if (!found?.summary && !conflict?.summary && !lines.length) return [];
  const line = ({ text, field }) =>
    el("li", {}, field ? button(shown(text), () => reveal(field), { class: "link", "data-field": field }) : shown(text));
  const summary = shown(found?.summary || conflict?.summary || "", 600);
  return [el("h2", {}, "Explanation"), el("p", {}, summary), el("ul", {}, ...lines.slice(0, LINES_MAX).map(line))];
}

function memberId(member) {
  return member.link_ids?.[0] ?? member.bound?.link_id ?? member.choice_id ?? member.overload?.resource_id ?? member.event_id;
}

/** The path of the element with an id in any list of the problem. */
function pathOf(problem, id) {
  if (!id) return "";
  for (const [name, list] of Object.entries(problem)) {
    const found = Array.isArray(list) ? list.findIndex((one) => one?.id === id) : -1;
    if (found >= 0) return `${name}[${found}]`;
  }
  return "";
}

/** Relaxations, which are proved to help. */
function relaxations(run, { relax }) {
  const all = (run.answer && run.method.relaxations?.(run.answer)) ?? [];
  if (!all.length) return [];
  const line = (one) =>
    el(
      "li",
      {},
      button("Apply and run", () => relax(one), { class: "apply" }),
      el("ul", {}, ...one.changes.map((change) => el("li", {}, shown(describe(change))))),
    );
  return [el("h2", {}, "Changes that help (each verified)"), el("ol", { class: "relaxations" }, ...all.map(line))];
}
