// VRPLIB's format for routes (`.vrp`), as the command line reads it: a unit of time is a second, one of distance is one at speed 1.

const AGENTS_MAX = 200;
const TASKS_MAX = 1000;
const ROUNDING = {
  EUC_2D: "ALLOCATION_DISTANCE_ROUNDING_INTEGER_NEAREST",
  FLOOR_2D: "ALLOCATION_DISTANCE_ROUNDING_INTEGER_DOWN",
  EXACT_2D: "ALLOCATION_DISTANCE_ROUNDING_EXACT",
};
/** Which columns of a row a matrix has. */
const MATRICES = {
  FULL_MATRIX: (_, n) => [0, n],
  LOWER_ROW: (row) => [0, row],
  UPPER_COL: (row) => [0, row],
  LOWER_DIAG_ROW: (row) => [0, row + 1],
  UPPER_DIAG_COL: (row) => [0, row + 1],
  UPPER_ROW: (row, n) => [row + 1, n],
  LOWER_COL: (row, n) => [row + 1, n],
  UPPER_DIAG_ROW: (row, n) => [row, n],
  LOWER_DIAG_COL: (row, n) => [row, n],
};
const HEADERS = new Set([
  "NAME",
  "COMMENT",
  "TYPE",
  "DIMENSION",
  "CAPACITY",
  "VEHICLES",
  "DISTANCE",
  "SERVICE_TIME",
  "EDGE_WEIGHT_TYPE",
  "EDGE_WEIGHT_FORMAT",
  "NODE_COORD_TYPE",
  "DISPLAY_DATA_TYPE",
]);
const SECTIONS = new Set([
  "NODE_COORD_SECTION",
  "DEMAND_SECTION",
  "DEPOT_SECTION",
  "TIME_WINDOW_SECTION",
  "SERVICE_TIME_SECTION",
  "EDGE_WEIGHT_SECTION",
  "DISPLAY_DATA_SECTION",
]);

/** @param {string} text */
export function looksLike(text) {
  return ["DIMENSION", "CAPACITY", "DEMAND_SECTION"].every((word) => new RegExp(`^\\s*${word}`, "m").test(text));
}

/** Headers, and sections with their lines; what is not known is a mistake. */
function split(text) {
  const headers = new Map();
  const sections = new Map();
  let rows;
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "EOF") break;
    if (!line) continue;
    if (/^[\d.+-]/.test(line)) {
      if (!rows) throw new Error(`line ${i + 1}: numbers before any section`);
      rows.push({ at: i + 1, columns: line.split(/\s+/) });
      continue;
    }
    const [name, ...value] = line.split(":");
    const key = name.trim();
    if (headers.has(key) || sections.has(key)) throw new Error(`line ${i + 1}: ${key} is there twice`);
    rows = SECTIONS.has(key) ? [] : undefined;
    if (rows) sections.set(key, rows);
    else if (HEADERS.has(key)) headers.set(key, value.join(":").trim());
    else throw new Error(`line ${i + 1}: ${key} is not known`);
  }
  return { headers, sections };
}

function number(text, what) {
  const found = Number(text);
  // Of nothing at all it would be 0.
  if (!text || !Number.isFinite(found)) throw new Error(`${what}: a number is wanted`);
  return found;
}

/** A time in seconds. */
function time(text, what) {
  const found = number(text, what);
  if (found < 0) throw new Error(`${what}: a time from 0 is wanted`);
  return found;
}

/** A time as the contract writes it, exact to the microsecond. */
const written = (seconds) => `${Number(seconds.toFixed(6))}s`;

/** The line of each node in a section. */
function byNode(sections, name, { nodes, width }) {
  const rows = new Map();
  const known = new Set(nodes);
  for (const { at, columns } of sections.get(name) ?? []) {
    if (columns.length !== width) throw new Error(`line ${at}: ${columns.length} columns, ${width} wanted`);
    const node = number(columns[0], `line ${at}`);
    if (rows.has(node)) throw new Error(`line ${at}: node ${node} is there twice`);
    if (!known.has(node)) throw new Error(`line ${at}: there is no node ${node}`);
    rows.set(node, columns);
  }
  const lacks = nodes.find((node) => !rows.has(node));
  if (lacks !== undefined) throw new Error(`${name} lacks node ${lacks}`);
  return nodes.map((node) => rows.get(node));
}

/** All distances in microseconds, row by row. */
function matrix({ headers, sections }, count) {
  const format = headers.get("EDGE_WEIGHT_FORMAT");
  const range = Object.hasOwn(MATRICES, format) ? MATRICES[format] : undefined;
  if (!range) throw new Error(`matrices written as ${format} are not supported`);
  const given = (sections.get("EDGE_WEIGHT_SECTION") ?? []).flatMap((row) => row.columns);
  const all = new Array(count * count).fill("0");
  let next = 0;
  for (let row = 0; row < count; row += 1) {
    const [from, to] = range(row, count);
    for (let column = from; column < to; column += 1) {
      const us = String(Math.round(1e6 * number(given[next], "EDGE_WEIGHT_SECTION")));
      next += 1;
      all[row * count + column] = us;
      if (format !== "FULL_MATRIX") all[column * count + row] = us;
    }
  }
  if (next !== given.length) throw new Error(`${given.length} distances, ${next} wanted`);
  return all;
}

/** Where the nodes are, and how far that is. */
function places(file, nodes) {
  const kind = file.headers.get("EDGE_WEIGHT_TYPE");
  if (kind === "EXPLICIT") {
    const ids = nodes.map(String);
    return {
      at: ids.map((id) => ({ location_id: id })),
      travel: { matrix: { location_ids: ids, durations_us: matrix(file, nodes.length) } },
    };
  }
  if (!Object.hasOwn(ROUNDING, kind)) throw new Error(`distances of type ${kind} are not supported`);
  const rows = byNode(file.sections, "NODE_COORD_SECTION", { nodes, width: 3 });
  return {
    at: rows.map(([, x, y]) => ({ point: { x: number(x, "a coordinate"), y: number(y, "a coordinate") } })),
    travel: { euclidean: { rounding: ROUNDING[kind] } },
  };
}

/** The only depot: node 1, unless another one is told. */
function depotOf(sections) {
  const told = (sections.get("DEPOT_SECTION") ?? []).flatMap((row) => row.columns.map(Number)).filter((one) => one !== -1);
  if (told.length > 1) throw new Error("there are several depots: one is supported");
  return told[0] ?? 1;
}

const between = ([opens, closes]) => ({ open_offset: written(opens), close_offset: written(closes) });

/** @param {string} text */
export function read(text) {
  const file = split(text);
  const { headers, sections } = file;
  const kind = headers.get("TYPE") ?? "CVRP";
  if (!["CVRP", "DCVRP", "VRPTW", "CVRPTW"].includes(kind)) throw new Error(`problems of type ${kind} are not supported`);
  const nodes = (sections.get("DEMAND_SECTION") ?? []).map((row) => number(row.columns[0], `line ${row.at}`));
  if (nodes.length !== Number(headers.get("DIMENSION"))) throw new Error("there are not as many demands as nodes");
  if (nodes.length > TASKS_MAX + 1) throw new Error(`more than ${TASKS_MAX} customers besides the depot`);
  const depot = depotOf(sections);
  const home = nodes.indexOf(depot);
  if (home < 0) throw new Error(`the depot is node ${depot}, which there is not`);
  const { at, travel } = places(file, nodes);
  const demands = byNode(sections, "DEMAND_SECTION", { nodes, width: 2 }).map((row) => number(row[1], "a demand"));
  if (demands[home] !== 0) throw new Error("the depot has a demand");
  const windows = sections.has("TIME_WINDOW_SECTION") ? byNode(sections, "TIME_WINDOW_SECTION", { nodes, width: 3 }) : undefined;
  const served = sections.has("SERVICE_TIME_SECTION") ? byNode(sections, "SERVICE_TIME_SECTION", { nodes, width: 2 }) : undefined;
  const window = (node) => windows && [1, 2].map((end) => time(windows[node][end], "a window"));
  const [opens, closes] = window(home) ?? [];
  const longest = headers.has("DISTANCE") ? time(headers.get("DISTANCE"), "DISTANCE") + (opens ?? 0) : undefined;
  const ends = [closes, longest].filter((end) => end !== undefined);
  const count = Number(headers.get("VEHICLES") ?? Math.min(Math.max(nodes.length - 1, 1), AGENTS_MAX));
  if (!Number.isInteger(count) || count < 1 || count > AGENTS_MAX) throw new Error(`${count} vehicles, 1 to ${AGENTS_MAX} are supported`);
  const agent = (_, i) => ({
    id: `vehicle ${i + 1}`,
    start: at[home],
    end: at[home],
    ...(windows && { shift_start_offset: written(opens) }),
    ...(ends.length && { shift_end_offset: written(Math.min(...ends)) }),
    capacities: [String(number(headers.get("CAPACITY"), "CAPACITY"))],
  });
  const task = (node, i) => ({
    id: String(node - (depot === 1 ? 1 : 0)),
    place: at[i],
    service_duration: written(time(served?.[i][1] ?? headers.get("SERVICE_TIME") ?? "0", "a service time")),
    ...(windows && { windows: [between(window(i))] }),
    demands: [String(demands[i])],
  });
  const tasks = nodes.map(task).filter((_, i) => i !== home);
  return { title: (headers.get("NAME") ?? "").slice(0, 200), agents: Array.from({ length: count }, agent), tasks, travel };
}
