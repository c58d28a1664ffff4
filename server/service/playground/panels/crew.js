// The Pareto front of a crew: trade-offs of time and damage as points. The picture shows the chosen one.

import { el, shown, svg } from "../dom.js";
import { number, seconds, time } from "../words.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 210, 56, 30, 14];
const MARKS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

/** All choices in the order of the contract: joint points, then the points of each front of each event. */
function choices(plan) {
  const all = (plan.joint?.points ?? []).map((point) => ({ point, group: "all events", players: "" }));
  for (const event of plan.events ?? []) {
    for (const front of event.fronts ?? []) {
      for (const point of front.points ?? [])
        all.push({
          point,
          group: event.event_id,
          players: front.player_count === 1 ? "1 player" : `${front.player_count} players`,
        });
    }
  }
  return all.map((one, index) => ({
    ...one,
    index,
    t: seconds(one.point.worst_duration),
    damage: Number(one.point.worst_damage ?? 0),
  }));
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(root, run, { stage }) {
  const label = (list, id) => (run.problem[list] ?? []).find((one) => one.id === id)?.label || id;
  const draw = () => {
    const all = run.best ? choices(run.best.plan) : [];
    if (!all.length) return;
    const chosen = stage.incumbent?.detail?.crew_choice ?? 0;
    const choose = (index) => {
      const wanted = Math.min(Math.max(index, 0), all.length - 1);
      // The stage sends `chosen` to the run, which draws this again.
      stage.choose(run.incumbents.findIndex((one) => one.detail?.crew_choice === wanted));
      root.querySelector('[aria-checked="true"]')?.focus();
    };
    const [first, last] = [Math.min(...all.map((one) => one.t)), Math.max(...all.map((one) => one.t))];
    const damage = Math.max(...all.map((one) => one.damage), 1);
    const x = (value) => LEFT + 20 + ((value - first) / (last - first || 1)) * (WIDTH - LEFT - 60);
    const y = (value) => TOP + (1 - value / damage) * (HEIGHT - TOP - BOTTOM);
    const groups = [...new Set(all.map((one) => `${one.group} ${one.players}`))];
    const key = (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) {
        event.preventDefault();
        choose(chosen + by);
      }
    };
    const dot = (one) => {
      const label = `${one.group} ${one.players}: ${time(one.t)}, damage ${number(one.damage)}`;
      const colour = MARKS[groups.indexOf(`${one.group} ${one.players}`) % MARKS.length];
      const is = one.index === chosen;
      return svg(
        "circle",
        {
          cx: x(one.t),
          cy: y(one.damage),
          r: is ? 9 : 6,
          fill: is ? colour : "#fff",
          stroke: colour,
          "stroke-width": 2.5,
          role: "radio",
          tabindex: is ? 0 : -1,
          "aria-checked": is,
          "aria-label": shown(label),
          onclick: () => choose(one.index),
          onkeydown: key,
        },
        svg("title", {}, shown(label)),
      );
    };
    const axes = [
      svg("path", { d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - 10}`, fill: "none", stroke: "#888" }),
      svg("text", { x: WIDTH - 12, y: HEIGHT - 8, "text-anchor": "end" }, `worst time, ${time(first)} to ${time(last)}`),
      svg("text", { x: 6, y: TOP + 4 }, "damage"),
      svg("text", { x: LEFT - 6, y: TOP + 18, "text-anchor": "end" }, number(damage)),
    ];
    const picked = all[chosen] ?? all[0];
    const roles = (picked.point.roles ?? picked.point.teams?.flatMap((team) => team.roles ?? []) ?? []).map(
      (role) => `${label("players", role.player_id)}${role.tool_id ? ` with ${label("tools", role.tool_id)}` : ""}`,
    );
    const text = `${label("events", picked.group)}, ${picked.players}: ${time(picked.t)}, damage ${number(picked.damage)} – ${roles.join(", ")}`;
    root.replaceChildren(
      el("p", {}, shown(text, 300)),
      svg(
        "svg",
        {
          class: "drawing",
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          role: "radiogroup",
          "aria-label": "Trade-offs of time and damage",
        },
        ...axes,
        ...all.map(dot),
      ),
    );
  };
  return draw;
}
