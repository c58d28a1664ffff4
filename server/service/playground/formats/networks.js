// Temporal networks and narratives in the JSON of others, as the command line reads them: bare numbers are seconds.

/** A bound, to the nearest microsecond; nothing where there is none. */
function bound(seconds, where) {
  if (seconds == null) return undefined;
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 315_360_000) throw new Error(`${where}: a number of seconds below ten years is wanted`);
  return `${Number((Math.round(seconds * 1e6) / 1e6).toFixed(6))}s`;
}

function link({ from, to, lb, ub }, where) {
  return { from_event_id: from, to_event_id: to, lower: bound(lb, where), upper: bound(ub, where) };
}

/** A range without bounds says nothing; the service wants one. */
const says = ({ lower, upper }) => lower !== undefined || upper !== undefined;

/** Requirements and contingent links apart. */
function sorted(all, name) {
  const links = [];
  const contingent = [];
  all.forEach((one, i) => {
    const found = { ...(one.id && { id: one.id }), ...link(one, `${name}[${i}]`) };
    if (one.kind === "ctg") {
      if (found.lower === undefined || found.upper === undefined) throw new Error(`${name}[${i}]: a contingent link needs lb and ub`);
      contingent.push(found);
    } else if (one.kind !== "req") throw new Error(`${name}[${i}].kind is neither req nor ctg`);
    else if (says(found)) links.push(found);
  });
  return { links, contingent_links: contingent };
}

/** `stnit/1`: networks of teams. */
function stnit({ name = "", zero, timepoints, constraints }) {
  const strange = timepoints.findIndex(({ agent }) => agent !== "C" && agent !== "U");
  if (strange >= 0) throw new Error(`timepoints[${strange}].agent is neither C nor U`);
  return {
    title: name,
    origin_id: zero,
    agents: [
      { id: "C", kind: "TEMPORAL_AGENT_KIND_CONTROLLABLE", label: "we" },
      { id: "U", kind: "TEMPORAL_AGENT_KIND_UNCONTROLLABLE", label: "teammate" },
    ],
    events: timepoints.map(({ id, agent }) => ({ id, agent_id: agent })),
    links: constraints.map((one, i) => link(one, `constraints[${i}]`)).filter(says),
  };
}

/** `stnu/1`: networks with uncertainty. */
function stnu({ name = "", vertices, links }) {
  let origin = "origin";
  while (vertices.includes(origin)) origin = `_${origin}`;
  return {
    title: name,
    ...(origin !== "origin" && { origin_id: origin }),
    events: vertices.map((id) => ({ id })),
    ...sorted(links, "links"),
  };
}

/** `linsp/1`: narratives. */
function linsp({ name = "", origin, vertices, edges, activities = [], resources = {}, choices = [] }) {
  const demands = (demand = {}) =>
    Object.entries(demand)
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource_id, amount]) => ({ resource_id, amount }));
  const owner = { system: "NARRATIVE_CHOOSER_SYSTEM", player: "NARRATIVE_CHOOSER_PLAYER" };
  return {
    title: name,
    origin_id: origin,
    events: vertices.filter((id) => id !== origin).map((id) => ({ id })),
    ...sorted(edges, "edges"),
    activities: activities.map(({ id, start, end, demand }) => ({
      id,
      start_event_id: start,
      end_event_id: end,
      demands: demands(demand),
    })),
    resources: Object.entries(resources)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, capacity]) => ({ id, capacity })),
    choices: choices.map(({ id, owner: who, options }) => ({
      id,
      chooser: owner[who],
      options: options.map((option) => ({ id: option.id, event_ids: option.vertices })),
    })),
  };
}

/**
 * The problem in a document of others; nothing where it is none of these.
 * @param {any} value
 * @returns {{planner: string, problem: any} | undefined}
 */
export function read(value) {
  const lists = (...names) => names.every((name) => Array.isArray(value[name]));
  if (lists("timepoints", "constraints")) return { planner: "temporal", problem: stnit(value) };
  if (lists("vertices", "edges") && typeof value.origin === "string") return { planner: "narrative", problem: linsp(value) };
  if (lists("vertices", "links")) return { planner: "temporal", problem: stnu(value) };
  return undefined;
}
