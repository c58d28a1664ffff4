// Levels of Sokoban in XSB, .sok and RLE, and what can be asked of a board without a search.

/** A row, or several of them in RLE. */
const ROW = /^[#@+$*. _\-0-9|]+$/;
const SIDE_MAX = 64;

/** Run-length encoding: digits before a character repeat it, `|` ends a row. */
function expanded(line) {
  const run = (_, count, letter) => {
    if (Number(count) > SIDE_MAX) throw new Error(`a run to beyond ${SIDE_MAX}`);
    return letter.repeat(Number(count));
  };
  return line.replaceAll(/(\d+)([^\d|])/g, run).split("|");
}

/** @param {string} text */
export function looksLike(text) {
  const rows = board(text);
  return rows.length >= 3 && isLevel(rows);
}

/** The first rows that are those of a board. */
function board(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const from = lines.findIndex((line) => ROW.test(line) && line.includes("#"));
  if (from < 0) return [];
  const rest = lines.slice(from);
  const to = rest.findIndex((line) => !ROW.test(line) || !line.includes("#"));
  const rows = rest.slice(0, to < 0 ? rest.length : to).flatMap(expanded);
  return rows.map((row) => row.replaceAll(/[-_]/g, " ").trimEnd());
}

/**
 * Whether rows are a whole level: one player, boxes, and as many goals.
 * @param {string[]} rows
 */
export function isLevel(rows) {
  const all = rows.join("");
  const count = (letters) => [...all].filter((letter) => letters.includes(letter)).length;
  return !all.includes("?") && count("@+") === 1 && count("$*") > 0 && count("$*") === count(".*+");
}

/**
 * A problem whose template is the first level of a file.
 * @param {string} text
 */
export function read(text) {
  const rows = board(text);
  const boxes = [...rows.join("")].filter((letter) => letter === "$" || letter === "*").length;
  return { title: "A level from a file", template_rows: rows, box_count_min: boxes, box_count_max: boxes };
}
