// Solomon's format for routes with time windows, as the command line reads it: a unit of time is a second.

/** Most agents that a problem may have. */
const AGENTS_MAX = 200;

/** @param {string} text */
export function looksLike(text) {
  return /^\s*VEHICLE\s*$/im.test(text) && /^\s*CUSTOMER\s*$/im.test(text);
}

function numbers(line, count) {
  const columns = line.text.split(/\s+/);
  const found = columns.map(Number);
  if (columns.length !== count || found.some((number) => !Number.isFinite(number)))
    throw new Error(`line ${line.at}: ${count} numbers are wanted`);
  return found;
}

const place = ([, x, y]) => ({ point: { x, y } });

/** @param {string} text */
export function read(text) {
  const lines = text.split("\n").map((line, i) => ({ at: i + 1, text: line.trim() }));
  const full = lines.filter((line) => line.text);
  const heading = (name) => {
    const found = full.findIndex((line) => line.text.toUpperCase() === name);
    return found + 2;
  };
  const fleet = full[heading("VEHICLE")];
  if (!fleet) throw new Error("the number and the capacity of the vehicles are missing");
  const [count, capacity] = numbers(fleet, 2);
  const table = full.slice(heading("CUSTOMER")).map((line) => numbers(line, 7));
  if (!table.length) throw new Error("the depot is missing");
  if (!Number.isInteger(count) || count < 1 || count > AGENTS_MAX) throw new Error(`${count} vehicles, 1 to ${AGENTS_MAX} are supported`);
  const [depot, ...customers] = table;
  if (depot[3] !== 0 || depot[6] !== 0) throw new Error("the first customer is the depot, its demand and service have to be 0");
  const agent = (_, i) => ({
    id: `vehicle ${i + 1}`,
    start: place(depot),
    end: place(depot),
    shift_start_offset: `${depot[4]}s`,
    shift_end_offset: `${depot[5]}s`,
    capacities: [String(capacity)],
  });
  const task = (row) => ({
    id: String(row[0]),
    place: place(row),
    service_duration: `${row[6]}s`,
    windows: [{ open_offset: `${row[4]}s`, close_offset: `${row[5]}s` }],
    demands: [String(row[3])],
  });
  return {
    title: full[0].text.slice(0, 200),
    agents: Array.from({ length: count }, agent),
    tasks: customers.map(task),
    travel: { euclidean: { rounding: "ALLOCATION_DISTANCE_ROUNDING_ONE_DECIMAL_DOWN" } },
  };
}
