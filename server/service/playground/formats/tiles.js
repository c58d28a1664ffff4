// Maps of tiles as a problem of patrol, as the command line reads them; without sight beyond a tile.

const TILE = /^[#. +DGSPV0-9]+$/;
const TICK_S = 1;
const MOTION = { stationary: "STATIONARY", lazy: "LAZY", moving: "MOVING", "border-stay": "BORDER_STAY" };

/** @param {string} text */
export function looksLike(text) {
  const { rows } = split(text);
  return rows.length > 0 && rows.some((row) => row.includes("##") || row.includes("..")) && rows.every((row) => !row || TILE.test(row));
}

function split(text) {
  const settings = new Map();
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  let from = 0;
  while (from < lines.length && (!lines[from] || lines[from].includes(":"))) {
    const [name, ...value] = lines[from].split(":");
    if (name) settings.set(name.trim(), value.join(":").trim());
    from += 1;
  }
  const rows = lines.slice(from);
  // A blank line within a map is a row of it.
  while (rows.length && !rows[rows.length - 1]) rows.pop();
  return { settings, rows };
}

/** Blanks that are reached from the edge are outside. */
function outside(rows, width) {
  const seen = new Set();
  const open = [];
  const push = (x, y) => {
    if (x < -1 || y < -1 || x > width || y > rows.length || seen.has(`${x},${y}`)) return;
    if ((rows[y]?.[x] ?? " ") !== " ") return;
    seen.add(`${x},${y}`);
    open.push([x, y]);
  };
  push(-1, -1);
  while (open.length) {
    const [x, y] = open.pop();
    push(x + 1, y);
    push(x - 1, y);
    push(x, y + 1);
    push(x, y - 1);
  }
  return seen;
}

/**
 * The problem of a map; also of one that is painted.
 * @param {string[]} rows
 * @param {Map<string, string>} settings
 */
export function problemOf(rows, settings) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const beyond = outside(rows, width);
  const tile = (x, y) => rows[y]?.[x] ?? " ";
  const isFloor = (x, y) =>
    tile(x, y) !== "#" && !(tile(x, y) === " " && (beyond.has(`${x},${y}`) || rows[y]?.[x] === undefined));
  const number = (name, otherwise) => Number(settings.get(name) ?? otherwise);
  const vertices = [];
  const edges = [];
  const guards = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x += 1) {
      if (!isFloor(x, y)) continue;
      const letter = tile(x, y);
      const vertex = { id: `${x},${y}`, point: { x, y } };
      if (/\d/.test(letter) && letter !== "1") vertex.weight = Number(letter);
      if (letter === "P") vertex.pause_duration = `${number("pause", 1) * TICK_S}s`;
      if (letter === "V") vertex.gap_duration = `${number("gap", 3) * TICK_S}s`;
      if (letter === "G" || letter === "S") guards.push({ id: `guard ${guards.length + 1}`, start_vertex_id: vertex.id });
      vertices.push(vertex);
      for (const [nx, ny] of [
        [x + 1, y],
        [x, y + 1],
      ]) {
        if (!isFloor(nx, ny)) continue;
        const door = "+D".includes(letter) || "+D".includes(tile(nx, ny));
        const edge = { from_vertex_id: vertex.id, to_vertex_id: `${nx},${ny}` };
        if (door) edge.travel_duration = `${number("door", 2) * TICK_S}s`;
        edges.push(edge);
      }
    }
  });
  const intruder = {
    motion: `PATROL_MOTION_${MOTION[settings.get("intruder") ?? "stationary"]}`,
    penetration_duration: `${number("time", 8) * TICK_S}s`,
  };
  if (settings.get("window") === "exclusive") intruder.exclusive = true;
  return { title: settings.get("title") ?? "", vertices, edges, guards, intruder };
}

/** @param {string} text */
export function read(text) {
  const { settings, rows } = split(text);
  const problem = problemOf(rows, settings);
  if (!problem.guards.length) throw new Error("no `G` tells where a guard starts");
  const known = ["title", "description", "intruder", "time", "window", "pause", "gap", "door"];
  const other = [...settings.keys()].filter((name) => !known.includes(name));
  if (other.length) throw new Error(`the page does not read the setting ${other[0]}; \`stratagem convert\` does`);
  if (!settings.has("time")) throw new Error("above the map a line such as `time: 8` is wanted: the ticks that the intruder needs");
  if (!Object.hasOwn(MOTION, settings.get("intruder") ?? "stationary"))
    throw new Error(`intruder: one of ${Object.keys(MOTION).join(", ")} is wanted`);
  if (!["inclusive", "exclusive"].includes(settings.get("window") ?? "inclusive")) throw new Error("window: inclusive or exclusive is wanted");
  if (settings.get("description")) problem.description = settings.get("description");
  return problem;
}
