// A raid in real time: the simulation runs here, and its plan is a session of the server.

import { client } from "./client.js";
import { byId, el, say, svg } from "./dom.js";
import { Session } from "./stratagem/index.js";
import { seen, STEP_MS, WIDTH, World } from "./world.js";

/** Steps between two reports of positions. */
const UPDATE_STEPS = 4;
/** Steps that a frame makes up for at most: a page in the background stands still. */
const FRAME_STEPS = 20;
/** Updates in the strip. */
const LATENCIES = 300;

const world = new World(7);
/** Milliseconds from each update to its plan. @type {number[]} */
const latencies = [];
const [marks, lines, units] = [svg("g"), svg("g"), svg("g")];
/** @type {Session} */
let session;
/** Updates that are not answered yet. */
let waiting = 0;

const x = (cell) => cell % WIDTH;
const y = (cell) => Math.trunc(cell / WIDTH);

/** Sends what has changed. Updates that wait for an answer share the next call. */
async function update() {
  waiting += 1;
  const begin = performance.now();
  try {
    const { allocation, refused = [] } = await session.update({ allocation: world.changes() }, world.now);
    if (allocation) world.follow(allocation);
    for (const { mistakes = [] } of refused) say(mistakes.map(({ field, description }) => `${field}: ${description}`).join("; "), "bad");
    latencies.push(performance.now() - begin);
    latencies.splice(0, latencies.length - LATENCIES);
    strip();
  } catch (error) {
    // The session sends the update again with the next one.
    say(error.message, "bad");
  } finally {
    waiting -= 1;
  }
}

/** Follows each plan that the server finds between updates. */
async function watch() {
  for await (const { allocation } of session.watch()) if (allocation) world.follow(allocation);
}

/** Shows the time from update to plan. */
function strip() {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.trunc((sorted.length - 1) * part)].toFixed(0);
  byId("latency").textContent = `update to plan: ${latencies.at(-1)?.toFixed(0)} ms, median ${at(0.5)}, 99 % ${at(0.99)}`;
  const top = sorted.at(-1) ?? 1;
  const points = latencies.map((ms, i) => `${i},${29 - (28 * ms) / top}`).join(" ");
  byId("strip").replaceChildren(svg("polyline", { points }));
}

/** Draws walls and gates. */
function ground() {
  const cells = [...world.walls.keys()].filter((cell) => world.walls[cell]);
  const square = (kind, cell) => svg("rect", { class: kind, x: x(cell), y: y(cell), width: 1, height: 1 });
  const gates = world.gates.map(({ cell, isOpen }) => square(isOpen ? "gate" : "blocked", cell));
  const floor = svg("rect", { class: "floor", width: WIDTH, height: world.walls.length / WIDTH });
  byId("map").replaceChildren(floor, ...cells.map((cell) => square("wall", cell)), ...gates, lines, marks, units);
  const { isOpen } = world.gates[byId("gate").value];
  byId("toggle").textContent = isOpen ? "Block" : "Open";
}

/** Draws what moves. */
function draw() {
  const raiders = [...world.raiders.values()];
  const targets = new Set(raiders.map(({ id }) => world.ahead(id)[0]));
  const centre = (cell) => [x(cell) + 0.5, y(cell) + 0.5];
  const dots = [...world.tasks].map(([id, cell]) => {
    const [cx, cy] = centre(cell);
    return svg("circle", { class: targets.has(id) ? "task next" : "task", "data-task": id, cx, cy, r: 0.45 });
  });
  marks.replaceChildren(...dots);
  const paths = raiders.map((raider) => {
    const stops = world.ahead(raider.id).map((id) => centre(world.tasks.get(id)));
    const begin = seen(raider).map((one) => one + 0.5);
    return svg("polyline", { class: "route", points: [begin, ...stops].join(" ") });
  });
  lines.replaceChildren(...paths);
  const bodies = raiders.map((raider) => {
    const [cx, cy] = seen(raider).map((one) => one + 0.5);
    return svg("circle", { class: raider.work ? "raider work" : "raider", "data-raider": raider.id, cx, cy, r: 0.6 });
  });
  units.replaceChildren(...bodies);
}

/** What was clicked is found by its place: elements change with each frame. */
function click({ clientX, clientY }) {
  const map = /** @type {any} */ (byId("map"));
  const point = new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM().inverse());
  const isNear = ([left, top]) => Math.hypot(left + 0.5 - point.x, top + 0.5 - point.y) < 0.8;
  const raider = [...world.raiders.values()].find((one) => isNear(seen(one)));
  const task = [...world.tasks].find(([, cell]) => isNear([x(cell), y(cell)]));
  const [column, row] = [Math.floor(point.x), Math.floor(point.y)];
  if (raider) say(world.kill(raider.id) ? `${raider.id} is gone` : "the last raider stays");
  else if (task) world.remove(task[0]);
  else if (column >= 0 && column < WIDTH) world.add(row * WIDTH + column);
  update();
}

function toggle() {
  if (!world.toggle(Number(byId("gate").value))) say("a raider is in this gate");
  ground();
  update();
}

async function main() {
  const options = world.gates.map((_, i) => el("option", { value: i }, i + 1));
  byId("gate").replaceChildren(...options);
  byId("gate").addEventListener("change", ground);
  byId("toggle").addEventListener("click", toggle);
  byId("map").addEventListener("click", click);
  ground();
  draw();
  const session_id = `raid-${Math.random().toString(36).slice(2)}`;
  session = await Session.create(client, { session_id, allocation: { problem: world.problem() } });
  world.follow(session.view.allocation ?? {});
  watch().catch((error) => say(error.message, "bad"));
  let last = performance.now();
  const frame = (now) => {
    last = Math.max(last, now - FRAME_STEPS * STEP_MS);
    for (; last + STEP_MS <= now; last += STEP_MS) {
      world.step();
      // Events are sent at their own time; positions alone can wait.
      if (world.hasNews || (world.steps % UPDATE_STEPS === 0 && !waiting)) update();
    }
    draw();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  document.body.dataset.state = "ready";
}

main().catch((error) => say(error.message, "bad"));
