// Instances of papers on patrols, in JSON with bare numbers, as the command line reads them.

const VERTICES_MAX = 2000;
const ROBOTS_MAX = 16;
const MOTIONS = { lazy: "LAZY", move: "MOVING", border_stay: "BORDER_STAY" };

/** A number of ticks. */
function ticks(count, tick) {
  return `${Number((count * tick).toFixed(6))}s`;
}

/**
 * The problem of an instance; nothing where it is none.
 * @param {any} value
 */
export function read(value) {
  if (!Number.isInteger(value.robots) || !Array.isArray(value.edges) || !value.intruder) return undefined;
  const { name = "", source = "", vertices, edges, robots, start, weights, coords, intruder, tick = 1 } = value;
  if (!Number.isInteger(vertices) || vertices < 1 || vertices > VERTICES_MAX) throw new Error(`vertices: 1 to ${VERTICES_MAX} are supported`);
  if (robots < 1 || robots > ROBOTS_MAX) throw new Error(`robots: 1 to ${ROBOTS_MAX} are supported`);
  const starts = Array.isArray(start) ? start : new Array(robots).fill(start);
  if (starts.length !== robots) throw new Error(`${starts.length} starts for ${robots} robots`);
  for (const list of [weights, coords]) {
    if (list && list.length !== vertices) throw new Error(`${list.length} given for ${vertices} vertices`);
  }
  if ((intruder.model === "dynamic") !== (intruder.walk !== undefined)) throw new Error("intruder.walk is for a dynamic one, and needed there");
  if (intruder.walk !== undefined && !Object.hasOwn(MOTIONS, intruder.walk))
    throw new Error(`intruder.walk: one of ${Object.keys(MOTIONS).join(", ")} is wanted`);
  const vertex = (_, n) => ({
    id: String(n),
    ...(weights && { weight: weights[n] }),
    ...(coords && { point: { x: coords[n][0], y: coords[n][1] } }),
  });
  const edge = ([from, to, length = 1]) => ({
    from_vertex_id: String(from),
    to_vertex_id: String(to),
    ...(length !== 1 && { travel_duration: ticks(length, tick) }),
  });
  return {
    title: name,
    description: source,
    vertices: Array.from({ length: vertices }, vertex),
    edges: edges.map(edge),
    guards: starts.map((at, n) => ({ id: `guard ${n + 1}`, start_vertex_id: String(at) })),
    intruder: {
      motion: `PATROL_MOTION_${MOTIONS[intruder.walk] ?? "STATIONARY"}`,
      penetration_duration: ticks(intruder.t_p, tick),
      ...(intruder.window === "exclusive" && { exclusive: true }),
    },
    ...(value.may_stay === false && { allow_staying: false }),
    ...(tick !== 1 && { tick_duration: ticks(1, tick) }),
  };
}
