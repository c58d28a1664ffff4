// The simulation of a heist, tick by tick. Users lock and unlock doors in it.

import { client } from "../client.js";
import { button, el, say, shown, svg } from "../dom.js";
import { number, word } from "../words.js";
import { analysis, traps } from "./level.js";

const [CELL, GAP] = [96, 28];
/** Milliseconds per tick of the animation. */
const TICK_MS = 350;
const COLOURS = ["#0072b2", "#d55e00", "#cc79a7", "#8a6d00", "#000000"];
const CLOSED = { HEIST_LOCK_STATE_LOCKED: "locked", HEIST_LOCK_STATE_CLOSED: "closed" };

/** Positions of rooms: those of the problem, else in rows. */
function layout(rooms) {
  const across = Math.ceil(Math.sqrt(rooms.length));
  const known = rooms.every((room) => room.x != null && room.y != null);
  const place = (room, i) => (known ? [Number(room.x), Number(room.y)] : [i % across, Math.floor(i / across)]);
  const all = rooms.map(place);
  const [left, top] = [Math.min(...all.map(([x]) => x)), Math.min(...all.map(([, y]) => y))];
  // Distances between columns and between rows are dropped.
  const steps = [0, 1].map((axis) => [...new Set(all.map((at) => at[axis]))].sort((a, b) => a - b));
  const near = (value, axis, first) => (steps[axis].length > 40 ? value - first : steps[axis].indexOf(value));
  return new Map(
    rooms.map((room, i) => [
      room.id,
      [near(all[i][0], 0, left) * (CELL + GAP) + GAP, near(all[i][1], 1, top) * (CELL + GAP) + GAP],
    ]),
  );
}

/** A simulated heist: the room of each agent and the events of each tick. */
class Recording {
  constructor(world) {
    this.world = world;
    const agents = [{ id: "burglar", ...world.burglar }, ...(world.guards ?? [])];
    this.agents = agents.map((agent) => agent.id || "burglar");
    this.frames = [
      { rooms: new Map(agents.map((agent) => [agent.id || "burglar", agent.room_id])), lines: [], lockStates: new Map() },
    ];
    this.end = null;
  }

  receive(message) {
    if (message.end) this.end = message.end;
    if (!message.tick) return;
    const last = this.frames[this.frames.length - 1];
    const frame = { rooms: new Map(last.rooms), lines: [], lockStates: new Map(last.lockStates) };
    for (const intervention of message.tick.interventions ?? []) {
      frame.lines.push(`you: ${word(intervention.verb, "HEIST_INTERVENTION_VERB_")} ${intervention.target_id}`);
      setLockState(frame.lockStates, intervention.target_id, intervention.verb.replace("HEIST_INTERVENTION_VERB_", ""));
    }
    for (const event of message.tick.events ?? []) {
      if (event.room_id) frame.rooms.set(event.agent_id, event.room_id);
      const { step, refusal } = event;
      if (step && !refusal) setLockState(frame.lockStates, step.target_id, step.verb.replace("HEIST_VERB_", ""));
      if (step)
        frame.lines.push(
          `${event.agent_id}: ${word(step.verb, "HEIST_VERB_")} ${step.target_id ?? ""}${refusal ? ` – refused: ${word(refusal, "")}` : ""}`,
        );
      if (event.replanning) frame.lines.push(`${event.agent_id} replans`);
    }
    this.frames.push(frame);
  }
}

function setLockState(lockStates, id, verb) {
  const now = { LOCK: "HEIST_LOCK_STATE_LOCKED", UNLOCK: "HEIST_LOCK_STATE_CLOSED", OPEN: "HEIST_LOCK_STATE_OPEN", CLOSE: "HEIST_LOCK_STATE_CLOSED" }[
    verb
  ];
  if (now) lockStates.set(id, now);
}

class Museum {
  /**
   * @param {HTMLElement} root
   * @param {any} world
   * @param {any[]} interventions the first ones
   */
  constructor(root, world, interventions) {
    this.root = root;
    this.world = world;
    this.places = layout(this.world.rooms ?? []);
    this.interventions = [...interventions];
    this.recording = new Recording(this.world);
    this.call = new AbortController();
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Tick of the game",
      oninput: () => this.draw(),
    });
    this.clock = el("output", {});
    this.lines = el("div", { class: "caption", "aria-live": "polite" });
    const xs = [...this.places.values()].map(([x]) => x);
    const ys = [...this.places.values()].map(([, y]) => y);
    this.drawing = svg("svg", {
      class: "drawing museum",
      viewBox: `0 0 ${Math.max(...xs) + CELL + GAP} ${Math.max(...ys) + CELL + GAP}`,
      role: "group",
      "aria-label": "The museum: doors can be locked and unlocked",
    });
    this.count = el("span", {});
    const begin = button("▶ Play the game", () => this.play(), { class: "play" });
    const clear = button("Undo all actions", () => {
      this.interventions = [];
      this.simulate();
    });
    root.replaceChildren(
      el("div", { class: "row" }, begin, this.slider, this.clock),
      el("div", { class: "row" }, "Click a door to lock or unlock it from this tick on.", clear, this.count),
      this.drawing,
      this.lines,
    );
    this.build();
    this.draw();
  }

  get tick() {
    return Number(this.slider.value);
  }

  /** Simulates the heist with all interventions so far. */
  async simulate() {
    this.call.abort();
    this.call = new AbortController();
    const { signal } = this.call;
    const recording = new Recording(this.world);
    const request = { problem: this.world, interventions: this.interventions, options: { priority: "PRIORITY_LOW", time_budget: "5s" } };
    try {
      for await (const message of client.stream("HeistService/SimulateHeist", request, { signal })) recording.receive(message);
    } catch (error) {
      if (!signal.aborted) say(error.message, "bad");
      return false;
    }
    this.recording = recording;
    this.slider.max = recording.frames.length - 1;
    this.count.textContent = this.interventions.length ? (this.interventions.length === 1 ? "1 action" : `${this.interventions.length} actions`) : "";
    this.draw();
    return true;
  }

  async play() {
    clearInterval(this.timer);
    if (!(await this.simulate())) return;
    this.slider.value = 0;
    this.draw();
    this.timer = setInterval(() => {
      if (this.tick >= this.recording.frames.length - 1 || !this.drawing.isConnected) clearInterval(this.timer);
      else {
        this.slider.value = this.tick + 1;
        this.draw();
      }
    }, TICK_MS);
  }

  /** Locks or unlocks a door at this tick. */
  async toggle(door) {
    clearInterval(this.timer);
    const here = this.tick;
    const verb = this.lockState(door) === "HEIST_LOCK_STATE_LOCKED" ? "UNLOCK" : "LOCK";
    this.interventions.push({ tick: here, verb: `HEIST_INTERVENTION_VERB_${verb}`, target_id: door.id });
    this.interventions.sort((a, b) => a.tick - b.tick);
    if (await this.simulate()) this.slider.value = Math.min(here + 1, this.recording.frames.length - 1);
    this.draw();
  }

  lockState(door) {
    return this.recording.frames[this.tick]?.lockStates.get(door.id) ?? door.lock_state;
  }

  /** Draws rooms and doors once, so that the focus stays on its door. */
  build() {
    const rooms = [...this.places].map(([id, [x, y]]) =>
      svg(
        "g",
        {},
        svg("rect", { x, y, width: CELL, height: CELL, rx: 5, fill: "#f3f4f6", stroke: "#8a919c" }),
        svg("text", { x: x + CELL / 2, y: y + 15, "text-anchor": "middle" }, shown(id, 14)),
      ),
    );
    const known = (this.world.doors ?? []).filter((door) => this.places.has(door.a_room_id) && this.places.has(door.b_room_id));
    this.doors = known.map((door) => ({ door, ...this.door(door) }));
    this.agents = svg("g");
    this.drawing.append(...this.doors.map(({ line }) => line), ...rooms, ...this.doors.map(({ mark }) => mark), this.agents);
  }

  draw() {
    const frame = this.recording.frames[this.tick] ?? this.recording.frames[0];
    for (const one of this.doors) this.paint(one);
    const seats = new Map();
    const agents = this.recording.agents.map((id, i) => {
      const at = this.places.get(frame.rooms.get(id));
      if (!at) return svg("g");
      const seat = seats.get(frame.rooms.get(id)) ?? 0;
      seats.set(frame.rooms.get(id), seat + 1);
      const [x, y] = [at[0] + 20 + 26 * (seat % 3), at[1] + 44 + 28 * Math.floor(seat / 3)];
      // The burglar is a triangle and guards are squares: shapes differ, not only colours.
      const shape = i
        ? svg("rect", { x: -9, y: -9, width: 18, height: 18, fill: COLOURS[i % COLOURS.length] })
        : svg("path", { d: "M0 -11L11 9H-11Z", fill: COLOURS[0] });
      return svg("g", { transform: `translate(${x} ${y})` }, shape, svg("title", {}, shown(id, 60)));
    });
    this.agents.replaceChildren(...agents);
    this.clock.textContent = `tick ${this.tick} of ${this.recording.frames.length - 1}`;
    this.lines.replaceChildren(...[...frame.lines, ...this.ending()].map((line) => el("div", {}, shown(line, 160))));
    this.drawing.dataset.ending = this.recording.end?.ending ?? "";
  }

  /** The ending, at the last tick. */
  ending() {
    const { end, frames } = this.recording;
    if (!end || this.tick < frames.length - 1) return [];
    const by = end.by_id ? ` by ${end.by_id}` : "";
    return [`End: ${word(end.ending, "HEIST_ENDING_")}${by} after ${number(end.tick_count ?? 0)} ticks.`];
  }

  /** The parts of a door's drawing. */
  door(door) {
    const [a, b] = [this.places.get(door.a_room_id), this.places.get(door.b_room_id)];
    const half = CELL / 2;
    const at = [(a[0] + b[0]) / 2 + half, (a[1] + b[1]) / 2 + half];
    const key = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.toggle(door);
    };
    const circle = svg("circle", { cx: at[0], cy: at[1], r: 12, stroke: "#5b4a1f", "stroke-width": 1.5 });
    const sign = svg("path", { fill: "none", stroke: "#1c1f24", "stroke-width": 1.8 });
    const title = svg("title");
    const attributes = {
      role: "button",
      tabindex: 0,
      cursor: "pointer",
      "data-door": door.id,
      onclick: () => this.toggle(door),
      onkeydown: key,
    };
    const mark = svg("g", attributes, circle, sign, title);
    const line = svg("path", {
      d: `M${a[0] + half} ${a[1] + half}L${b[0] + half} ${b[1] + half}`,
      stroke: "#b8a878",
      "stroke-width": 5,
    });
    return { at, circle, sign, title, mark, line };
  }

  /** Draws the state of a door at this tick. */
  paint({ door, at: [x, y], circle, sign, title, mark }) {
    const state = CLOSED[this.lockState(door)] ?? "open";
    // A padlock, a bar or nothing: signs differ, not only colours.
    const signs = {
      locked: `M${x - 5} ${y - 1}h10v7h-10zM${x - 3} ${y - 1}v-3a3 3 0 0 1 6 0v3`,
      closed: `M${x - 5} ${y}h10`,
      open: "",
    };
    circle.setAttribute("fill", { locked: "#d55e00", closed: "#e8d9b5", open: "#fff" }[state]);
    sign.setAttribute("d", signs[state]);
    title.textContent = shown(`${door.id}: ${state}`, 80);
    mark.setAttribute("aria-label", title.textContent);
    mark.dataset.state = state;
  }
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(root, run) {
  if (!(run.problem.world?.rooms ?? []).length) return undefined;
  const findings = el("div");
  const game = el("div");
  root.replaceChildren(findings, game);
  let museum;
  let world;
  return () => {
    // A designed level is simulated with its help.
    const level = run.method.name === "design" ? run.best?.plan : undefined;
    const now = level?.world ?? run.problem.world;
    if (now !== world) {
      world = now;
      museum = new Museum(game, world, level?.help ?? []);
    }
    findings.replaceChildren(...traps(level), ...analysis(run.answer?.analysis));
    if (!run.running && run.answer && museum.recording.frames.length === 1) museum.simulate();
  };
}
