// The rules of Sokoban. Moves are in LURD notation, with pushes in capitals.

/** Directions of moves, as columns and rows. */
export const DIRECTIONS = { l: [-1, 0], r: [1, 0], u: [0, -1], d: [0, 1] };

export class Game {
  /** @param {string[]} rows in the XSB notation */
  constructor(rows) {
    this.rows = rows;
    this.width = Math.max(...rows.map((row) => row.length));
    this.restart();
  }

  restart() {
    this.walls = new Set();
    this.goals = new Set();
    this.boxes = new Set();
    this.played = "";
    this.rows.forEach((row, y) => {
      [...row].forEach((letter, x) => {
        const cell = `${x},${y}`;
        if (letter === "#") this.walls.add(cell);
        if (".*+".includes(letter)) this.goals.add(cell);
        if ("$*".includes(letter)) this.boxes.add(cell);
        if ("@+".includes(letter)) this.player = [x, y];
      });
    });
  }

  /**
   * Makes a move if it is possible, and returns whether it was.
   * @param {string} direction a letter of `DIRECTIONS`, large or small
   */
  step(direction) {
    const [dx, dy] = DIRECTIONS[direction.toLowerCase()];
    const [x, y] = [this.player[0] + dx, this.player[1] + dy];
    const next = `${x},${y}`;
    if (this.walls.has(next)) return false;
    let letter = direction.toLowerCase();
    if (this.boxes.has(next)) {
      const beyond = `${x + dx},${y + dy}`;
      if (this.walls.has(beyond) || this.boxes.has(beyond)) return false;
      this.boxes.delete(next);
      this.boxes.add(beyond);
      letter = letter.toUpperCase();
    }
    this.player = [x, y];
    this.played += letter;
    return true;
  }

  /** Takes back the last move, and returns whether there was one. */
  undo() {
    const letter = this.played.slice(-1);
    if (!letter) return false;
    const [dx, dy] = DIRECTIONS[letter.toLowerCase()];
    const [x, y] = this.player;
    if (letter !== letter.toLowerCase()) {
      this.boxes.delete(`${x + dx},${y + dy}`);
      this.boxes.add(`${x},${y}`);
    }
    this.player = [x - dx, y - dy];
    this.played = this.played.slice(0, -1);
    return true;
  }

  get pushes() {
    return this.played.replace(/[a-z]/g, "").length;
  }

  get solved() {
    return [...this.boxes].every((box) => this.goals.has(box));
  }
}
