// Paints maps: areas of patrols, templates of puzzles, rooms of heists.

import { button, byId, el, say } from "./dom.js";
import { importProblem } from "./open.js";

const [WIDTH_MAX, HEIGHT_MAX] = [40, 30];
/** Limits of the contract on columns and rows of a board. */
const SIDES = [3, 64];

/** Letters of tiles and their meanings, by planner. */
const TOOLS = {
  patrol: { "#": "wall", ".": "floor", 3: "worth 3", 9: "worth 9", "+": "door", G: "guard", P: "pause", V: "gap" },
  puzzle: { "#": "wall", " ": "floor", "?": "anything", ".": "goal", $: "box", "@": "player" },
  heist: { "#": "wall", ".": "room", B: "burglar", E: "exit", A: "artifact", C: "camera" },
};
const COLOURS = {
  "#": "#5b6470",
  ".": "#f3f4f6",
  " ": "#fff",
  "?": "#cfe3f3",
  3: "#f7d9a8",
  9: "#e69f00",
  "+": "#b8a878",
  G: "#0072b2",
  P: "#cc79a7",
  V: "#56b4e9",
  $: "#e69f00",
  "@": "#0072b2",
  B: "#0072b2",
  E: "#009e73",
  A: "#e69f00",
  C: "#d55e00",
};
const STARTS = {
  patrol: ["#########", "#G..#..3#", "#...+...#", "#..9#...#", "#########"],
  heist: ["#######", "#B.A..#", "#.#.#.#", "#E....#", "#######"],
};

/** The world of painted rooms. Adjacent rooms have an open door between them. */
function museum(rows, title) {
  const world = { title, rooms: [], doors: [], containers: [], cameras: [], artifact_ids: [], burglar: { id: "burglar" } };
  const at = (x, y) => rows[y]?.[x] ?? "#";
  const id = (x, y) => `room ${x},${y}`;
  let exit;
  rows.forEach((row, y) => {
    [...row].forEach((letter, x) => {
      if (letter === "#") return;
      world.rooms.push({ id: id(x, y), x, y });
      for (const [nx, ny] of [
        [x + 1, y],
        [x, y + 1],
      ]) {
        if (at(nx, ny) !== "#")
          world.doors.push({
            id: `door ${x},${y}-${nx},${ny}`,
            a_room_id: id(x, y),
            b_room_id: id(nx, ny),
            lock_state: "HEIST_LOCK_STATE_OPEN",
          });
      }
      if (letter === "B") world.burglar.room_id = id(x, y);
      if (letter === "E") exit = id(x, y);
      if (letter === "C") world.cameras.push({ id: `camera ${x},${y}`, room_id: id(x, y) });
      if (letter === "A") {
        const name = `artifact ${world.artifact_ids.length + 1}`;
        world.artifact_ids.push(name);
        world.containers.push({ id: `case ${x},${y}`, room_id: id(x, y), lock_state: "HEIST_LOCK_STATE_OPEN", item_ids: [name] });
      }
    });
  });
  if (exit) world.burglar.goal = { item_ids: world.artifact_ids, end_room_id: exit };
  return { world };
}

/** The rows of a problem's map, or of a new map if the problem has none. */
function rowsOf(planner, problem) {
  if (planner === "puzzle") {
    const given = problem.template_rows;
    if (Array.isArray(given) && given.length && given.every((row) => typeof row === "string")) return [...given];
    // The user can type anything.
    const side = (typed) => Math.min(Math.max(Math.trunc(Number(typed)) || 8, SIDES[0]), SIDES[1]);
    const [width, height] = [side(problem.width), side(problem.height)];
    return Array.from({ length: height }, (_, y) =>
      y === 0 || y === height - 1 ? "#".repeat(width) : `#${"?".repeat(Math.max(width - 2, 1))}#`,
    );
  }
  return STARTS[planner];
}

/** The problem of a map. The server reads maps of patrols. */
async function made(planner, problem, rows) {
  if (planner === "puzzle") {
    const { width: _, height: __, ...rest } = problem;
    return { ...rest, template_rows: rows };
  }
  if (planner === "heist") return museum(rows, "A painted museum");
  const content = `title: A painted map\ntime: 8\n\n${rows.join("\n")}\n`;
  return (await importProblem({ content, format: "tiles" })).problem;
}

/**
 * Fills the tab for painting. It draws when the tab is opened.
 * @param {import("./editor.js").Editor} editor
 */
export function paint(editor) {
  const root = byId("paint");
  const tab = document.querySelector('[data-tab="paint"]');
  let rows = [];
  let tool = "#";
  let cursor = [1, 1];
  let down = false;

  let strokes = 0;
  /** Replaces the problem by that of the map, unless the map was changed meanwhile. */
  const apply = async () => {
    strokes += 1;
    const mine = strokes;
    const { planner } = editor;
    try {
      const problem = await made(planner, editor.problem, rows);
      if (mine !== strokes || planner !== editor.planner) return;
      editor.problem = problem;
      editor.edited();
      say("");
    } catch (error) {
      if (mine === strokes) say(error.message, "bad");
    }
  };

  const set = (x, y) => {
    const row = rows[y].padEnd(x + 1, "#");
    if (row[x] === tool) return;
    // There is one player, one burglar and one exit.
    if ("@BE".includes(tool)) rows = rows.map((one) => one.replaceAll(tool, editor.planner === "puzzle" ? " " : "."));
    const fresh = rows[y].padEnd(x + 1, "#");
    rows[y] = fresh.slice(0, x) + tool + fresh.slice(x + 1);
    draw();
    return apply();
  };

  const resize = (dx, dy) => {
    const width = Math.min(Math.max(Math.max(...rows.map((row) => row.length)) + dx, 3), WIDTH_MAX);
    const height = Math.min(Math.max(rows.length + dy, 3), HEIGHT_MAX);
    const last = (n, max) => n === 0 || n === max - 1;
    const inner = editor.planner === "puzzle" ? "?" : ".";
    const letter = (x, y) =>
      last(x, width) || last(y, height) ? "#" : last(x, width - dx) || last(y, height - dy) ? inner : (rows[y]?.[x] ?? inner);
    rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => letter(x, y)).join(""));
    draw();
    return apply();
  };

  const key = (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (by) cursor = [Math.max(0, cursor[0] + by[0]), Math.max(0, cursor[1] + by[1])];
    else if (event.key === " " || event.key === "Enter") set(...cursor);
    else if (event.key in TOOLS[editor.planner]) tool = event.key;
    else return;
    event.preventDefault();
    draw();
  };

  function draw() {
    const tools = TOOLS[editor.planner];
    const width = Math.max(...rows.map((row) => row.length));
    // The map may have become smaller.
    cursor = [Math.min(cursor[0], width - 1), Math.min(cursor[1], rows.length - 1)];
    const size = Math.max(12, Math.min(34, Math.floor((root.clientWidth - 24) / width)));
    const canvas = el("canvas", {
      width: width * size,
      height: rows.length * size,
      tabindex: 0,
      role: "application",
      "aria-label": `Map of ${width} by ${rows.length}: arrow keys move, space paints ${tools[tool]}`,
    });
    const pen = canvas.getContext("2d");
    pen.font = `${Math.floor(size * 0.6)}px sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    rows.forEach((row, y) => {
      for (let x = 0; x < width; x += 1) {
        const letter = row[x] ?? "#";
        pen.fillStyle = COLOURS[letter] ?? "#fff";
        pen.fillRect(x * size, y * size, size - 1, size - 1);
        pen.fillStyle = "#111";
        if (letter !== "#" && letter !== ".") pen.fillText(letter, (x + 0.5) * size, (y + 0.5) * size);
      }
    });
    pen.strokeStyle = "#d55e00";
    pen.lineWidth = 2;
    pen.strokeRect(cursor[0] * size, cursor[1] * size, size - 1, size - 1);
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [Math.floor((event.clientX - box.left) / size), Math.floor((event.clientY - box.top) / size)];
    };
    const dab = (event) => {
      const [x, y] = place(event);
      if (x < 0 || y < 0 || x >= width || y >= rows.length) return;
      cursor = [x, y];
      set(x, y);
    };
    canvas.addEventListener("pointerdown", (event) => {
      down = true;
      dab(event);
    });
    canvas.addEventListener("pointermove", (event) => down && dab(event));
    canvas.addEventListener("keydown", key);
    const pick = (letter) =>
      button(
        tools[letter],
        () => {
          tool = letter;
          draw();
        },
        { "aria-pressed": letter === tool },
      );
    const focused = document.activeElement?.tagName === "CANVAS";
    root.replaceChildren(
      el("div", { class: "row" }, ...Object.keys(tools).map(pick)),
      el(
        "div",
        { class: "row" },
        button("wider", () => resize(1, 0)),
        button("narrower", () => resize(-1, 0)),
        button("taller", () => resize(0, 1)),
        button("lower", () => resize(0, -1)),
      ),
      canvas,
    );
    if (focused) canvas.focus();
  }

  addEventListener("pointerup", () => {
    down = false;
  });
  const opened = () => {
    tab.hidden = !TOOLS[editor.planner];
    if (tab.hidden && editor.tab === "paint") editor.openTab("form");
    else if (editor.tab === "paint") begin();
  };
  editor.addEventListener("open", opened);
  const begin = () => {
    rows = [...rowsOf(editor.planner, editor.problem)];
    tool = Object.keys(TOOLS[editor.planner])[0];
    draw();
  };
  editor.addEventListener("tab", () => editor.tab === "paint" && begin());
  // A problem may have been opened before this module was loaded.
  if (editor.planner) opened();
}
