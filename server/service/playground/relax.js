// Applies relaxations, which the server has proved to help, to the edited problem.

/** Links by id. Those without an id are named after their ends: `FROM->TO`, `FROM->TO#2`, ... */
function links(problem) {
  const found = new Map();
  const seen = new Map();
  for (const list of ["links", "contingent_links"]) {
    (problem[list] ?? []).forEach((link, i) => {
      let name = link.id;
      if (!name) {
        const ends = `${link.from_event_id}->${link.to_event_id}`;
        const count = (seen.get(ends) ?? 0) + 1;
        seen.set(ends, count);
        name = count > 1 ? `${ends}#${count}` : ends;
      }
      found.set(name, [list, i]);
    });
  }
  return found;
}

function bound(problem, change) {
  const place = links(problem).get(change.link_id);
  if (!place) throw new Error(`there is no link ${change.link_id} any more`);
  const side = change.side === "TEMPORAL_BOUND_SIDE_LOWER" ? "lower" : "upper";
  const link = problem[place[0]][place[1]];
  if (change.new_bound == null) delete link[side];
  else link[side] = change.new_bound;
  return [...place, side];
}

function index(list, id) {
  const found = (list ?? []).findIndex((one) => one.id === id);
  if (found < 0) throw new Error(`there is no ${id} any more`);
  return found;
}

function option(problem, pick, withheld) {
  const choice = index(problem.choices, pick.choice_id);
  const at = index(problem.choices[choice].options, pick.option_id);
  problem.choices[choice].options[at].withheld = withheld;
  return ["choices", choice, "options", at, "withheld"];
}

function narrative(problem, change) {
  if (change.bound) return bound(problem, change.bound);
  if (change.capacity) {
    const at = index(problem.resources, change.capacity.resource_id);
    problem.resources[at].capacity = change.capacity.new_capacity;
    return ["resources", at, "capacity"];
  }
  if (change.system_choice_id) {
    const at = index(problem.choices, change.system_choice_id);
    problem.choices[at].chooser = "NARRATIVE_CHOOSER_SYSTEM";
    return ["choices", at, "chooser"];
  }
  return change.offered_option ? option(problem, change.offered_option, false) : option(problem, change.withheld_option, true);
}

/** A duration of the contract, as in "12.5s", plus some seconds, exact to the microsecond. */
const prolonged = (time, by) => `${Number((Number.parseFloat(time ?? "0") + by).toFixed(6))}s`;

/** Adds a copy of an agent with an id of its own. */
function addAgent(problem, id) {
  const copy = structuredClone(problem.agents[index(problem.agents, id)]);
  const taken = new Set(problem.agents.map((one) => one.id));
  let count = 2;
  while (taken.has(`${id} ${count}`)) count += 1;
  problem.agents.push({ ...copy, id: `${id} ${count}` });
  return ["agents", problem.agents.length - 1];
}

/** Applies a change of an allocation problem at its path. */
function allocation(problem, change) {
  if (change.code === "AGENT_ADDED") return addAgent(problem, change.subject_id);
  const keys = change.field.split(/[.[\]]+/).filter(Boolean);
  const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const last = path[path.length - 1];
  const place = path.slice(0, -1).reduce((value, key, i) => (value[key] ??= typeof path[i + 1] === "number" ? [] : {}), problem);
  if (change.names?.length) place[last] = [...(place[last] ?? []), ...change.names];
  else if (change.unit === "s") place[last] = prolonged(place[last], change.by);
  else {
    // Missing values are 0.
    if (Array.isArray(place)) for (let i = place.length; i < last; i += 1) place[i] = 0;
    place[last] = Number(place[last] ?? 0) + change.by;
  }
  return path;
}

/** Texts of changes of allocation problems. */
const ALLOCATION_CHANGES = {
  WINDOW_LATER: "may start later by",
  SHIFT_LONGER: "works longer by",
  CAPACITY_MORE: "carries more by",
  SKILLS_LEARNED: "learns",
  CHANGES_MORE: "more tasks may change their agent:",
  AGENT_ADDED: "one agent more like this:",
};

/**
 * Applies the changes of a relaxation to a problem, and returns their paths.
 * @param {string} planner
 * @param {any} problem
 * @param {any} relaxation
 * @returns {(string | number)[][]}
 */
export function apply(planner, problem, relaxation) {
  const change = { narrative, allocation }[planner] ?? bound;
  return relaxation.changes.map((one) => change(problem, one));
}

const boundText = ({ link_id: id, side, old_bound, new_bound }) =>
  `${id}: ${side === "TEMPORAL_BOUND_SIDE_LOWER" ? "at least" : "at most"} ${new_bound ?? "anything"} instead of ${old_bound ?? "anything"}`;

/**
 * A change as text.
 * @param {any} change of a relaxation of any planner
 */
export function describe(change) {
  if (ALLOCATION_CHANGES[change.code]) {
    const by = change.names?.length ? change.names.join(", ") : `${change.by} ${change.unit}`;
    return `${change.subject_id} ${ALLOCATION_CHANGES[change.code]} ${by}`.trim();
  }
  if (change.link_id) return boundText(change);
  if (change.bound) return boundText(change.bound);
  if (change.capacity) {
    const { resource_id: id, old_capacity: old = 0, new_capacity: now } = change.capacity;
    return `${id}: ${now} instead of ${old}`;
  }
  if (change.system_choice_id) return `${change.system_choice_id}: the system chooses`;
  const pick = change.offered_option ?? change.withheld_option ?? {};
  return `${pick.choice_id}: ${pick.option_id} is ${change.offered_option ? "offered" : "withheld"}`;
}
