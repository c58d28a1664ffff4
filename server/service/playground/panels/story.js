// The story as text, and sliders for the believability of actions. Moving one searches again from the best story so far.

import { el, later, shown, svg } from "../dom.js";
import { number } from "../words.js";

/** Milliseconds after the last move of a slider until the search. */
const PAUSE_MS = 200;
const [WIDTH, HEIGHT] = [640, 70];

/** The factor of an action; default: 1. */
function factor(problem, action) {
  const found = (problem.sliders ?? []).find((one) => one.action === action);
  return found ? Number(found.factor ?? 0) : 1;
}

function set(problem, action, value) {
  const others = (problem.sliders ?? []).filter((one) => one.action !== action);
  problem.sliders = value === 1 ? others : [...others, { action, factor: value }];
}

/** A chart of the score after each act, over bars of believability. */
function curve(plan) {
  const steps = plan.steps ?? [];
  const x = (i) => 8 + ((i + 0.5) / Math.max(steps.length, 1)) * (WIDTH - 16);
  const y = (value) => 6 + (1 - Number(value ?? 0)) * (HEIGHT - 12);
  const bars = steps.map((step, i) =>
    svg(
      "rect",
      { x: x(i) - 5, y: y(step.believability), width: 10, height: HEIGHT - 6 - y(step.believability), fill: "#9fc5e8" },
      svg("title", {}, `${shown(plan.acts?.[i]?.action ?? "")}: ${number(Number(step.believability ?? 0))}`),
    ),
  );
  const line = svg("path", {
    d: steps.map((step, i) => `${i ? "L" : "M"}${x(i)} ${y(step.score)}`).join(""),
    fill: "none",
    stroke: "#d55e00",
    "stroke-width": 2,
  });
  return svg(
    "svg",
    {
      class: "drawing",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `Score after each of ${steps.length} acts`,
    },
    ...bars,
    line,
  );
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(root, run, { start, editor, stage }) {
  let text = root.querySelector(".tale");
  let curves = root.querySelector(".curve");
  // Only the first search of a problem builds sliders, so that they can be dragged meanwhile.
  if (!text || root.problem !== editor.problem) {
    root.problem = editor.problem;
    text = el("div", { class: "tale", "aria-live": "polite", "aria-label": "The story" });
    curves = el("div", { class: "curve" });
    const search = later(() => {
      // Another problem has been opened meanwhile.
      if (!text.isConnected) return;
      // Diverse stories have no warm start.
      const acts = editor.method === "plan" ? root.latest?.best?.plan.acts : undefined;
      start(acts?.length ? { previous_plan: { acts } } : {});
    }, PAUSE_MS);
    const slider = (action) => {
      const value = el("output", {}, number(factor(editor.problem, action.name)));
      const move = (event) => {
        value.textContent = number(Number(event.target.value));
        set(editor.problem, action.name, Number(event.target.value));
        editor.draw();
        search();
      };
      const range = el("input", { type: "range", min: 0, max: 3, step: 0.1, oninput: move, "data-action": action.name });
      range.value = factor(editor.problem, action.name);
      return el("label", {}, el("bdi", {}, shown(action.name, 30)), range, value);
    };
    const sliders = (editor.problem.actions ?? []).map(slider);
    root.replaceChildren(
      text,
      curves,
      el(
        "details",
        { open: true },
        el("summary", {}, "How believable is it that …"),
        el("div", { class: "sliders" }, ...sliders),
      ),
    );
  }
  root.latest = run;
  return () => {
    if (root.latest !== run || !run.best) return;
    const { plan } = stage.incumbent ?? run.best;
    text.replaceChildren(el("p", {}, (plan.sentences ?? []).map((sentence) => shown(sentence.text)).join(" ")));
    curves.replaceChildren(curve(plan));
  };
}
