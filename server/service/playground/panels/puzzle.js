// Playable levels, with undo, hints from the server and a replay of the solution.

import { client } from "../client.js";
import { button, el, say, shown, svg } from "../dom.js";
import { DIRECTIONS, Game } from "./game.js";

const CELL = 32;
/** Milliseconds per move of the replay. */
const STEP_MS = 120;
const HINT_BUDGET = "2s";
const KEYS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d" };

/**
 * Rows without boxes and goals that the player cannot reach, which are decoration. Without a player all stay.
 * @param {string[]} rows
 */
function inPlay(rows) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const seen = rows.map(() => new Set());
  const open = rows.flatMap((row, y) => [...row].flatMap((letter, x) => ("@+".includes(letter) ? [[x, y]] : [])));
  if (!open.length) return rows;
  while (open.length) {
    const [x, y] = open.pop();
    const isOff = x < 0 || y < 0 || x >= width || y >= rows.length;
    if (isOff || rows[y][x] === "#" || seen[y].has(x)) continue;
    seen[y].add(x);
    open.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
  }
  const kept = (letter, x, y) => (letter === "#" || seen[y].has(x) ? letter : " ");
  return rows.map((row, y) => [...row].map((letter, x) => kept(letter, x, y)).join("").trimEnd());
}

/**
 * Whether rows are a complete level: one player, boxes, and as many goals.
 * @param {string[]} rows
 */
function isLevel(rows) {
  const all = rows.join("");
  const count = (letters) => [...all].filter((letter) => letters.includes(letter)).length;
  return !all.includes("?") && count("@+") === 1 && count("$*") > 0 && count("$*") === count(".*+");
}

const cell = (place) => place.split(",").map((n) => Number(n) * CELL);

function drawn(game, hint) {
  const parts = [];
  for (const wall of game.walls) {
    const [x, y] = cell(wall);
    parts.push(svg("rect", { x, y, width: CELL, height: CELL, fill: "#5b6470", stroke: "#4a525c" }));
  }
  for (const goal of game.goals) {
    const [x, y] = cell(goal);
    parts.push(svg("circle", { cx: x + CELL / 2, cy: y + CELL / 2, r: 6, fill: "none", stroke: "#d55e00", "stroke-width": 3 }));
  }
  for (const box of game.boxes) {
    const [x, y] = cell(box);
    const onGoal = game.goals.has(box);
    parts.push(
      svg("rect", {
        x: x + 3,
        y: y + 3,
        width: CELL - 6,
        height: CELL - 6,
        rx: 3,
        fill: onGoal ? "#009e73" : "#e69f00",
        stroke: "#333",
      }),
    );
    // Boxes on goals differ by a sign, not only by colour.
    if (onGoal) parts.push(svg("path", { d: `M${x + 9} ${y + 16}l5 6l9 -12`, fill: "none", stroke: "#fff", "stroke-width": 3 }));
  }
  const [px, py] = game.player;
  parts.push(
    svg("circle", { cx: (px + 0.5) * CELL, cy: (py + 0.5) * CELL, r: 10, fill: "#0072b2", stroke: "#fff", "stroke-width": 2 }),
  );
  if (hint) {
    const [dx, dy] = DIRECTIONS[hint.direction];
    const [x, y] = [(hint.column + 0.5) * CELL, (hint.row + 0.5) * CELL];
    parts.push(
      svg("path", { d: `M${x} ${y}l${dx * CELL} ${dy * CELL}`, stroke: "#cc79a7", "stroke-width": 5, "stroke-linecap": "round" }),
      svg("circle", { cx: x, cy: y, r: 15, fill: "none", stroke: "#cc79a7", "stroke-width": 4 }),
    );
  }
  return parts;
}

class Play {
  /** @param {{rows: string[], solution: string, name: string}} level */
  constructor(level) {
    this.level = level;
    this.game = new Game(level.rows);
    const size = `0 0 ${this.game.width * CELL} ${level.rows.length * CELL}`;
    this.board = svg("svg", {
      class: "drawing board",
      viewBox: size,
      tabindex: 0,
      role: "application",
      "aria-label": "The board: arrow keys move and push, U takes back",
    });
    this.board.addEventListener("keydown", (event) => this.key(event));
    this.line = el("output", { class: "caption", "aria-live": "polite" });
    this.timer = 0;
    this.draw();
  }

  key(event) {
    const direction = KEYS[event.key];
    if (direction && !event.altKey && !event.ctrlKey) this.move(direction);
    else if (event.key === "u" || event.key === "Backspace") this.undo();
    else if (event.key === "h") this.hint();
    else return;
    event.preventDefault();
  }

  move(direction) {
    this.pause();
    if (this.game.step(direction)) this.draw();
  }

  undo() {
    this.pause();
    if (this.game.undo()) this.draw();
  }

  restart() {
    this.pause();
    this.game.restart();
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
  }

  /** Shows the best next push, or the push that made the level unsolvable. */
  async hint() {
    this.pause();
    const { played } = this.game;
    try {
      const options = { time_budget: HINT_BUDGET, priority: "PRIORITY_LOW" };
      const request = { problem: { rows: this.level.rows }, played_moves: played, options };
      const { hint, loss, report } = await client.call("PuzzleService/SolvePuzzle", request);
      if (played !== this.game.played) return;
      if (hint) this.draw({ row: hint.row ?? 0, column: hint.column ?? 0, direction: hint.lurd.slice(-1).toLowerCase() });
      else if (loss) this.takeBackLoss(loss);
      else
        say(
          report?.status === "SOLVE_STATUS_INFEASIBLE"
            ? "The level cannot be solved from here: take back moves."
            : "No hint was found in time.",
        );
    } catch (error) {
      say(error.message, "bad");
    }
  }

  /** Takes back the push that made the level unsolvable and all later moves, and marks it. */
  takeBackLoss(loss) {
    const index = loss.push_index ?? 0;
    while (this.game.pushes > index && this.game.undo());
    const direction = loss.direction.replace("PUZZLE_DIRECTION_", "")[0].toLowerCase();
    this.draw({ row: loss.row ?? 0, column: loss.column ?? 0, direction });
    const first = loss.solvable_push_count === undefined ? undefined : loss.solvable_push_count + 1;
    const more = first === index + 1 ? "" : first ? `, or one from push ${first} on did` : ", or an earlier one did";
    say(`Push ${index + 1} (marked) made the level unsolvable${more}. It was taken back with all later moves.`);
  }

  /** Plays the solution from the beginning. */
  replay() {
    this.restart();
    let at = 0;
    this.timer = setInterval(() => {
      const letter = this.level.solution[at];
      at += 1;
      if (!letter || !this.board.isConnected) this.pause();
      else if (this.game.step(letter)) this.draw();
    }, STEP_MS);
  }

  draw(hint) {
    this.board.replaceChildren(...drawn(this.game, hint));
    const { game } = this;
    this.line.textContent = `${game.played.length} moves, ${game.pushes} pushes${game.solved ? " – solved!" : ""}`;
    this.board.dataset.solved = game.solved;
    this.board.dataset.played = game.played;
  }

  controls() {
    const arrows = { l: "←", u: "↑", d: "↓", r: "→" };
    const names = { l: "left", u: "up", d: "down", r: "right" };
    const move = Object.entries(arrows).map(([direction, sign]) => button(sign, () => this.move(direction), { "aria-label": names[direction] }));
    const replay = this.level.solution ? [button("Replay the solution", () => this.replay())] : [];
    return el(
      "div",
      { class: "row" },
      ...move,
      button("Undo", () => this.undo()),
      button("Hint", () => this.hint()),
      button("Restart", () => this.restart()),
      ...replay,
      this.line,
    );
  }
}

/** The levels of a plan, and the template if it is a complete level. */
function levels(run) {
  const found = (run.best?.plan.levels ?? []).map((level, i) => ({
    rows: level.rows,
    solution: level.solution ?? "",
    name: `level ${(level.rung ?? i) + 1}`,
  }));
  const template = run.problem.template_rows;
  const rows = inPlay(template ?? []);
  if (isLevel(rows)) found.unshift({ rows, solution: "", name: "the template" });
  return found;
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(root, run) {
  let shownLevels = "";
  let chosen = 0;
  let play;
  const open = (all, index) => {
    chosen = index;
    play?.pause();
    play = new Play(all[index]);
    const picks =
      all.length < 2
        ? []
        : all.map((level, i) => button(shown(level.name, 20), () => open(all, i), { "aria-pressed": i === index }));
    root.replaceChildren(el("div", { class: "row" }, ...picks), play.controls(), play.board);
  };
  return () => {
    const all = levels(run);
    const now = JSON.stringify(all);
    // A better plan of the same search does not end a game that was begun.
    if (!all.length || now === shownLevels || play?.game.played) return;
    shownLevels = now;
    open(all, Math.min(chosen, all.length - 1));
  };
}
