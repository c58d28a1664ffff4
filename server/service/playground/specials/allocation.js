// Who is where at any moment: agents move along their routes under a slider of time. Tasks are dragged to other places.

import { button, el, shown, svg } from "../dom.js";
import { seconds, time } from "../words.js";

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#8a6d00"];
const [WIDTH, HEIGHT, MARGIN] = [640, 330, 24];
/** How long it takes to show a whole plan, in milliseconds. */
const SHOW_MS = 8000;
/** Names are written for so many tasks at most. */
const NAMES_MAX = 40;

const point = (place) => place?.point && { x: place.point.x ?? 0, y: place.point.y ?? 0 };

/**
 * The moments of a route, in order: when it is where. Nothing that is not started happens before now.
 * @param {any} route
 * @param {any} agent
 * @param {{tasks: Map<string, any>, now: number, started: Map<string, Set<string>>}} problem
 */
function moments(route, agent, { tasks, now, started }) {
  const all = [];
  const start = point(agent.start);
  const stops = route.stops ?? [];
  const begun = stops.findIndex((stop) => !started.get(route.agent_id)?.has(stop.task_id));
  const shift = seconds(agent.shift_start_offset);
  if (start) all.push([begun === 0 ? Math.max(shift, now) : shift, start]);
  for (const [i, stop] of stops.entries()) {
    // After what is started it waits, where something else follows.
    const last = all[all.length - 1];
    if (i === begun && last && last[0] < now) all.push([now, last[1]]);
    const at = point(tasks.get(stop.task_id)?.place);
    if (!at) continue;
    const leaves = all.length ? Math.max(all[all.length - 1][0], 0) : 0;
    all.push(
      [Math.max(seconds(stop.arrival_offset ?? stop.start_offset), leaves), at],
      [seconds(stop.departure_offset ?? stop.start_offset), at],
    );
  }
  const end = point(agent.end);
  if (end && route.end_offset) all.push([seconds(route.end_offset), end]);
  return all;
}

/** Where it is at a time. */
function where(all, t) {
  const next = all.findIndex(([when]) => when > t);
  if (next === 0) return all[0][1];
  if (next < 0) return all[all.length - 1][1];
  const [[from, a], [to, b]] = [all[next - 1], all[next]];
  const part = (t - from) / (to - from || 1);
  return { x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y) };
}

/** From places of the problem to places of the drawing. */
function scale(points) {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const factor = Math.min(
    (WIDTH - 2 * MARGIN) / (Math.max(...xs) - left || 1),
    (HEIGHT - 2 * MARGIN) / (Math.max(...ys) - top || 1),
  );
  const [wide, high] = [(Math.max(...xs) - left) * factor, (Math.max(...ys) - top) * factor];
  const [dx, dy] = [(WIDTH - wide) / 2, (HEIGHT - high) / 2];
  const at = (p) => [dx + (p.x - left) * factor, dy + (p.y - top) * factor];
  // Places are as fine as can be pointed at, and no finer.
  const round = (value) => Number(value.toPrecision(4));
  return { at, back: (x, y) => ({ x: round(left + (x - dx) / factor), y: round(top + (y - dy) / factor) }) };
}

/**
 * Lets circles be dragged that are tasks.
 * @param {SVGElement} drawing
 * @param {{back: (x: number, y: number) => {x: number, y: number}, drop: (id: string, place: {x: number, y: number}) => void}} act
 */
function drags(drawing, { back, drop }) {
  let held = null;
  const here = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return [at.x, at.y];
  };
  drawing.addEventListener("pointerdown", (event) => {
    held = event.target.closest("[data-task]");
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = here(event);
    held.setAttribute("cx", x);
    held.setAttribute("cy", y);
    held.dataset.moved = "yes";
  });
  const release = (event) => {
    if (held?.dataset.moved) drop(held.dataset.task, back(...here(event)));
    held = null;
  };
  drawing.addEventListener("pointerup", release);
  drawing.addEventListener("pointerleave", release);
}

/** A task has another place: the problem is changed, and searched again. */
function moved(id, place, { editor, start }) {
  const task = (editor.problem.tasks ?? []).find((one) => one.id === id);
  if (!task) return;
  task.place = { point: place };
  editor.replaced();
  start();
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, around: import("./all.js").Around) => (() => void) | void} */
export function special(root, run, { editor, start }) {
  const { problem } = run;
  const tasks = new Map((problem.tasks ?? []).map((task) => [task.id, task]));
  const agents = new Map((problem.agents ?? []).map((agent) => [agent.id, agent]));
  const previous = problem.previous_plan?.routes ?? [];
  const begun = (route) => new Set((route.task_ids ?? []).slice(0, route.started_count ?? 0));
  const started = new Map(previous.map((route) => [route.agent_id, begun(route)]));
  const now = seconds(problem.now_offset);
  const places = [...tasks.values()]
    .map((task) => point(task.place))
    .concat([...agents.values()].map((agent) => point(agent.start)));
  const known = places.filter(Boolean);
  if (known.length < 2) return undefined;
  const { at, back } = scale(known);
  const drawing = svg("svg", {
    class: "drawing",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": "Agents on the map; tasks can be dragged",
  });
  drags(drawing, { back, drop: (id, place) => moved(id, place, { editor, start }) });
  const slider = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time in the plan" });
  const clock = el("output", {}, "");
  let frame = 0;
  const play = button("▶ play", () => {
    cancelAnimationFrame(frame);
    const begin = performance.now();
    const go = (now) => {
      slider.value = Math.min(1, (now - begin) / SHOW_MS);
      draw();
      if (now - begin < SHOW_MS && drawing.isConnected) frame = requestAnimationFrame(go);
    };
    frame = requestAnimationFrame(go);
  });
  slider.addEventListener("input", () => {
    cancelAnimationFrame(frame);
    draw();
  });
  let lanes = [];
  let end = 1;

  function dots(t) {
    const done = new Set();
    for (const { route } of lanes) {
      for (const stop of route.stops ?? []) if (seconds(stop.departure_offset ?? stop.start_offset) <= t) done.add(stop.task_id);
    }
    return [...tasks.values()].flatMap((task) => {
      const place = point(task.place);
      if (!place) return [];
      const [x, y] = at(place);
      const dot = svg(
        "circle",
        {
          cx: x,
          cy: y,
          r: 4.5,
          fill: done.has(task.id) ? "#444" : "#fff",
          stroke: "#444",
          "stroke-width": 1.5,
          "data-task": task.id,
          cursor: "grab",
        },
        svg("title", {}, shown(task.id, 80)),
      );
      return tasks.size > NAMES_MAX ? [dot] : [dot, svg("text", { x: x + 7, y: y - 5 }, shown(task.id, 18))];
    });
  }

  function draw() {
    const t = Number(slider.value) * end;
    clock.textContent = `${time(t)} of ${time(end)}`;
    const ways = lanes.map(({ all, colour }) =>
      svg("path", {
        d: all.map(([, p], i) => `${i ? "L" : "M"}${at(p).join(" ")}`).join(""),
        fill: "none",
        stroke: colour,
        "stroke-width": 1.5,
        "stroke-opacity": 0.45,
      }),
    );
    const taken = new Set();
    const who = lanes.map(({ all, colour, name }) => {
      const [x, y] = at(where(all, t));
      // Where several stand together the first is named: the rest have tooltips.
      const spot = `${Math.round(x / 30)},${Math.round(y / 12)}`;
      const named = lanes.length <= 12 && !taken.has(spot);
      taken.add(spot);
      return svg(
        "g",
        { transform: `translate(${x} ${y})` },
        svg("path", { d: "M0 -9L8 6H-8Z", fill: colour, stroke: "#fff" }, svg("title", {}, name)),
        named ? svg("text", { x: 9, y: 9 }, name) : "",
      );
    });
    drawing.replaceChildren(...ways, ...dots(t), ...who);
  }

  root.replaceChildren(el("div", { class: "row" }, play, slider, clock), drawing);
  return () => {
    const plan = run.best?.plan;
    if (!plan) return;
    lanes = (plan.routes ?? []).flatMap((route, i) => {
      const agent = agents.get(route.agent_id);
      const all = agent ? moments(route, agent, { tasks, now, started }) : [];
      return all.length ? [{ route, all, colour: COLOURS[i % COLOURS.length], name: shown(route.agent_id, 24) }] : [];
    });
    end = Math.max(1, ...lanes.map(({ all }) => all[all.length - 1][0]));
    draw();
  };
}
