// The simulation of the raid: a grid with walls and gates, raiders, and tasks. All of it is integers, and no random number comes from outside.

export const WIDTH = 48;
export const HEIGHT = 32;
/** Time of a step. */
export const STEP_MS = 50;
/** Steps from a cell to the next one. */
const CELL_STEPS = 4;
/** Steps of work on a task. */
const WORK_STEPS = 30;
const RAIDERS = 12;
const TASKS = 30;
/** Steps between two new tasks, while there are fewer than `TASKS`. */
const NEW_STEPS = 6;
/** Distance between two places, where tasks can be. */
const GRID = 4;

const cellOf = (x, y) => y * WIDTH + x;
const seconds = (steps) => `${(steps * STEP_MS) / 1000}s`;
const GATES = [cellOf(16, 6), cellOf(16, 26), cellOf(24, 16), cellOf(32, 10), cellOf(32, 22)];

/**
 * A raider. It moves from `cell` to `next`, or works on `work`, for `left` more steps.
 * @typedef {{id: string, cell: number, next: number, left: number, work: string}} Raider
 */

export class World {
  #state;
  #named = 0;
  /** What the server does not know yet. @type {any} */
  #news = {};

  /** @param {number} seed */
  constructor(seed) {
    this.#state = (seed % 2_147_483_646) + 1;
    /** Steps so far. */
    this.steps = 0;
    this.walls = new Uint8Array(WIDTH * HEIGHT);
    for (let cell = 0; cell < this.walls.length; cell += 1) {
      const x = cell % WIDTH;
      const y = Math.trunc(cell / WIDTH);
      const isEdge = x === 0 || y === 0 || x === WIDTH - 1 || y === HEIGHT - 1;
      const isWall = x === 16 || x === 32 || (y === 16 && x > 16 && x < 32);
      this.walls[cell] = Number((isEdge || isWall) && !GATES.includes(cell));
    }
    /** Cells where tasks can be. @type {number[]} */
    this.places = [];
    for (let y = 2; y < HEIGHT; y += GRID) for (let x = 2; x < WIDTH; x += GRID) this.places.push(cellOf(x, y));
    this.#measure();
    /** Cells of tasks by their ids. @type {Map<string, number>} */
    this.tasks = new Map();
    while (this.tasks.size < TASKS) this.#create();
    const starts = this.places.slice(0, RAIDERS * 8).filter((_, i) => i % 8 === 0);
    /** @type {Map<string, Raider>} */
    this.raiders = new Map(starts.map((cell, i) => [`r${i + 1}`, { id: `r${i + 1}`, cell, next: cell, left: 0, work: "" }]));
    /** Tasks of each raider in order, as planned. @type {Map<string, string[]>} */
    this.routes = new Map();
    this.#news = {};
  }

  /** Gates, and whether each is open. */
  get gates() {
    return GATES.map((cell) => ({ cell, isOpen: !this.walls[cell] }));
  }

  /** The problem as it begins. */
  problem() {
    const n = this.places.length;
    const durations_us = Array.from({ length: n * n }, (_, i) => this.#duration(Math.trunc(i / n), this.places[i % n]));
    return {
      agents: [...this.raiders.values()].map(({ id, cell }) => ({ id, start: place(cell) })),
      tasks: [...this.tasks.keys()].map((id) => this.#task(id)),
      travel: { matrix: { location_ids: this.places.map(name), durations_us } },
    };
  }

  /** Whether something has happened since the last call of `changes`. */
  get hasNews() {
    return Object.keys(this.#news).length > 0;
  }

  /** What has changed since the last call, as the server takes it. */
  changes() {
    const positions = [...this.raiders.values()].filter(({ work }) => !work).map((raider) => this.#position(raider));
    const changes = { ...this.#news, positions };
    this.#news = {};
    return changes;
  }

  /** The time of the game, in seconds. */
  get now() {
    return (this.steps * STEP_MS) / 1000;
  }

  /**
   * Follows another plan from now on.
   * @param {{routes?: {agent_id?: string, stops?: {task_id?: string}[]}[]}} plan
   */
  follow({ routes = [] }) {
    this.routes = new Map(routes.map(({ agent_id = "", stops = [] }) => [agent_id, stops.map(({ task_id = "" }) => task_id)]));
  }

  /** The tasks of a raider that are left, in order. */
  ahead(id) {
    return (this.routes.get(id) ?? []).filter((task) => this.tasks.has(task));
  }

  step() {
    this.steps += 1;
    if (this.steps % NEW_STEPS === 0 && this.tasks.size < TASKS) this.#create();
    for (const raider of this.raiders.values()) this.#move(raider);
  }

  /** Removes a raider. False for the last one. */
  kill(id) {
    if (this.raiders.size < 2 || !this.raiders.delete(id)) return false;
    const { events = [], ...others } = this.#news;
    // What was done counts; work that was begun is open again.
    const kept = events.filter((one) => one.agent_id !== id || one.kind.endsWith("DONE"));
    this.#news = { ...others, events: kept };
    this.#report("removed_agent_ids", id);
    return true;
  }

  /** A task near a cell. False where there is one, or a wall. */
  add(cell) {
    if (this.walls[cell]) return false;
    const at = this.places[this.#nearest(cell)];
    if ([...this.tasks.values()].includes(at)) return false;
    this.#put(at);
    return true;
  }

  /** Removes a task: a raider that works on it is free. */
  remove(id) {
    if (!this.tasks.delete(id)) return;
    this.#forget(id);
    for (const raider of this.raiders.values()) if (raider.work === id) Object.assign(raider, { work: "", left: 0 });
  }

  /** Opens or blocks a gate. False while a raider is in it. */
  toggle(gate) {
    const cell = GATES[gate];
    if ([...this.raiders.values()].some((one) => one.cell === cell || one.next === cell)) return false;
    const before = this.distances;
    this.walls[cell] = 1 - this.walls[cell];
    this.#measure();
    this.places.forEach((from, i) => {
      for (const to of this.places)
        if (before[i][to] !== this.distances[i][to])
          this.#report("arcs", { from_location_id: name(from), to_location_id: name(to), duration_us: this.#duration(i, to) });
    });
    return true;
  }

  /** Distances of all cells from each place, in cells; -1: there is no path. */
  #measure() {
    this.distances = this.places.map((start) => {
      const distances = new Int16Array(this.walls.length).fill(-1);
      distances[start] = 0;
      const queue = [start];
      for (const cell of queue)
        for (const next of around(cell))
          if (distances[next] < 0 && !this.walls[next]) {
            distances[next] = distances[cell] + 1;
            queue.push(next);
          }
      return distances;
    });
  }

  #duration(place, cell) {
    const distance = this.distances[place][cell];
    return distance < 0 ? -1 : distance * CELL_STEPS * STEP_MS * 1000;
  }

  /** The index of the place that is nearest to a cell. */
  #nearest(cell) {
    const far = (i) => (this.distances[i][cell] < 0 ? Number.POSITIVE_INFINITY : this.distances[i][cell]);
    return this.places.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0);
  }

  #position({ id, next, left }) {
    const nearest = this.#nearest(next);
    const steps = this.steps + left + this.distances[nearest][next] * CELL_STEPS;
    return { agent_id: id, place: place(this.places[nearest]), free_offset: seconds(steps) };
  }

  #task(id) {
    return { id, place: place(this.tasks.get(id)), service_duration: seconds(WORK_STEPS) };
  }

  /** A new task at a random place that is free. */
  #create() {
    const taken = new Set(this.tasks.values());
    const free = this.places.filter((cell) => !taken.has(cell));
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    this.#put(free[this.#state % free.length]);
  }

  #put(cell) {
    this.#named += 1;
    const id = `t${this.#named}`;
    this.tasks.set(id, cell);
    this.#report("put_tasks", this.#task(id));
  }

  /** A task that the server may not know yet is not wanted any more. */
  #forget(id) {
    const { put_tasks = [], events = [], ...others } = this.#news;
    const isNew = put_tasks.some((one) => one.id === id);
    const news = { put_tasks: put_tasks.filter((one) => one.id !== id), events: events.filter((one) => one.task_id !== id) };
    this.#news = { ...others, ...news };
    if (!isNew) this.#report("removed_task_ids", id);
  }

  #report(field, value) {
    this.#news[field] = [...(this.#news[field] ?? []), value];
  }

  #event(kind, raider) {
    const event = { kind: `ALLOCATION_TASK_EVENT_KIND_${kind}`, task_id: raider.work, agent_id: raider.id, at_offset: seconds(this.steps) };
    this.#report("events", event);
  }

  /** @param {Raider} raider */
  #move(raider) {
    if (raider.left > 0) raider.left -= 1;
    if (raider.left > 0) return;
    raider.cell = raider.next;
    if (raider.work) {
      this.#event("DONE", raider);
      this.tasks.delete(raider.work);
      raider.work = "";
    }
    // The plan is obeyed at the centre of cells only.
    const [target] = this.ahead(raider.id);
    const goal = target && this.tasks.get(target);
    if (goal === undefined) return;
    if (goal === raider.cell) this.#begin(raider, target);
    else this.#approach(raider, this.distances[this.places.indexOf(goal)]);
  }

  #begin(raider, target) {
    if ([...this.raiders.values()].some((one) => one.work === target)) return;
    Object.assign(raider, { work: target, left: WORK_STEPS });
    this.#event("STARTED", raider);
  }

  #approach(raider, distances) {
    const next = around(raider.cell).find((cell) => distances[cell] >= 0 && distances[cell] === distances[raider.cell] - 1);
    if (next === undefined) return;
    Object.assign(raider, { next, left: CELL_STEPS });
  }
}

const around = (cell) => [cell + 1, cell - 1, cell + WIDTH, cell - WIDTH];
const name = (cell) => `${cell % WIDTH},${Math.trunc(cell / WIDTH)}`;
const place = (cell) => ({ location_id: name(cell) });

/** Where a raider is, in cells from the corner. */
export function seen({ cell, next, left, work }) {
  const part = work || next === cell ? 0 : 1 - left / CELL_STEPS;
  const along = (of) => of(cell) + (of(next) - of(cell)) * part;
  return [along((one) => one % WIDTH), along((one) => Math.trunc(one / WIDTH))];
}
