// A chart of objective and bound over time.

import { svg } from "./dom.js";
import { number, time } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [360, 190, 52, 24, 12, 10];

/** The level to draw: the first that changes, else the first with a bound below it, else the last. */
function level(runs) {
  const all = runs.flatMap((run) => run.points).filter((point) => point.levels);
  const count = Math.max(0, ...all.map((point) => point.levels.length));
  for (let i = 0; i < count; i += 1) {
    if (all.some((point) => point.levels[i] !== all[0].levels[i])) return i;
  }
  return Math.max(0, count - 1);
}

/** A step function as a path. */
function stairs(points, x, y, end) {
  let text = "";
  points.forEach(([t, value], i) => {
    text += i ? `H${x(t)}V${y(value)}` : `M${x(t)} ${y(value)}`;
  });
  return points.length ? `${text}H${x(Math.max(end, points[points.length - 1][0]))}` : text;
}

/**
 * Draws the curves of one or two searches.
 * @param {SVGElement} chart
 * @param {import("./run.js").Run[]} runs
 */
export function draw(chart, runs) {
  const chosen = level(runs);
  const curve = (run, of) => run.points.filter((p) => Number.isFinite(p[of]?.[chosen])).map((p) => [p.t, p[of][chosen]]);
  const all = runs.flatMap((run) => [...curve(run, "levels"), ...curve(run, "bound")]);
  const end = Math.max(0.001, ...runs.flatMap((run) => run.points.map((p) => p.t)));
  const values = all.map(([, value]) => value);
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (!values.length) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 1, high + 1];
  const x = (t) => Math.round(10 * (LEFT + (t / end) * (WIDTH - LEFT - RIGHT))) / 10;
  const y = (value) => Math.round(10 * (TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM))) / 10;
  const parts = [];
  for (const part of [0, 0.5, 1]) {
    const value = low + part * (high - low);
    parts.push(
      svg("path", { class: "grid", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 5, y: y(value) + 4, class: "end" }, number(value)),
    );
    parts.push(
      svg("text", { x: x(part * end), y: HEIGHT - 7, class: part === 1 ? "end" : part ? "middle" : "" }, time(part * end)),
    );
  }
  runs.forEach((run, i) => {
    parts.push(svg("path", { class: `bound run${i}`, d: stairs(curve(run, "bound"), x, y, end) }));
    const points = curve(run, "levels");
    parts.push(svg("path", { class: `cost run${i}`, d: stairs(points, x, y, end) }));
    const dots = points.length > 120 ? [] : points;
    parts.push(...dots.map(([t, value]) => svg("circle", { class: `dot run${i}`, cx: x(t), cy: y(value), r: 2.5 })));
  });
  chart.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const first = curve(runs[0], "levels");
  const last = first[first.length - 1];
  chart.setAttribute(
    "aria-label",
    last ? `Cost against time: from ${number(first[0][1])} to ${number(last[1])} in ${time(end)}` : "Cost against time",
  );
  chart.replaceChildren(...parts);
}
