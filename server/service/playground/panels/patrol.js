// The evaluation of a patrol or of a mixed strategy, as text and table.

import { el, shown } from "../dom.js";
import { number, seconds, time } from "../words.js";

/** Largest number of listed places, the least watched first. */
const ROWS_MAX = 12;

/** A mixed strategy: the probability of each patrol, and of the capture of an intruder that knows them. */
function mixture(root, { plan, detail }, { names, share }) {
  const { floor_probability: floor, worst_vertex_id: worst } = detail?.patrol_mixture_evaluation ?? {};
  const known = floor == null ? "" : ` An intruder that knows this is caught with probability ${share(floor)} or more, the least at ${shown(names.get(worst), 40)}.`;
  const row = ({ probability }, i) => el("li", {}, `patrol ${i + 1}: ${share(probability)} of the nights`);
  root.replaceChildren(
    el("p", {}, `One of ${plan.parts.length} patrols is drawn each night.${known}`),
    el("ol", { class: "mixture" }, ...plan.parts.map(row)),
  );
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(root, run, { stage }) {
  const names = new Map((run.problem.vertices ?? []).map((vertex) => [vertex.id, vertex.label || vertex.id]));
  return () => {
    const chosen = stage.incumbent ?? run.best;
    const share = (value) => `${number(100 * Number(value ?? 0))} %`;
    if (chosen?.plan?.parts) mixture(root, chosen, { names, share });
    const evaluation = chosen?.detail?.patrol_evaluation;
    if (!evaluation) return;
    const worst = [...(evaluation.vertices ?? [])]
      .sort((a, b) => Number(a.capture_probability ?? 0) - Number(b.capture_probability ?? 0))
      .slice(0, ROWS_MAX);
    const row = (one) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, shown(names.get(one.vertex_id), 40)),
        el("td", {}, share(one.capture_probability)),
        el("td", {}, time(seconds(one.worst_idleness_duration))),
      );
    const head = el(
      "tr",
      {},
      ...["least watched", "intruder caught", "longest alone"].map((name) => el("th", { scope: "col" }, name)),
    );
    const facts = `An intruder is caught with probability ${share(evaluation.capture_probability)}; at the worst place, ${shown(names.get(evaluation.best_response?.vertex_id) ?? "–", 40)}, with ${share(evaluation.best_response?.capture_probability)}. Predictability ${number(Number(evaluation.predictability ?? 0))}.`;
    root.replaceChildren(
      el("p", {}, facts),
      el(
        "details",
        {},
        el("summary", {}, "All places"),
        el("table", {}, el("thead", {}, head), el("tbody", {}, ...worst.map(row))),
      ),
    );
  };
}
