// Levels of Sokoban in XSB, .sok, RLE and .slc, and what can be asked of a board without a search.

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
  if (isXml(text)) return text.includes("<SokobanLevels");
  const rows = inPlay(board(text));
  return rows.length >= 3 && isLevel(rows);
}

const isXml = (text) => text.trimStart().startsWith("<");

/** The rows of the first level of a collection in XML. */
function ofXml(text) {
  // Definitions of entities are of no use in levels, and can make a document grow without end.
  if (text.includes("<!ENTITY")) throw new Error("entities cannot be defined in files of levels");
  // The browser's parser would report what is not well-formed in a page of its own style, which the policy of this page refuses.
  const plain = text.replaceAll(/<!--[\s\S]*?-->/g, "");
  const level = /<Level\b[^>]*>([\s\S]*?)<\/Level>/.exec(plain);
  if (!level) throw new Error("no level found: a level is an element Level of LevelCollection, with an L for each row");
  const row = /<L>([^<]*)<\/L>|<L\s*\/>/g;
  const rest = level[1].replaceAll(row, "").trim();
  if (rest) throw new Error(`no row of a level: ${rest.slice(0, 100)}`);
  const texts = [...level[1].matchAll(row)].slice(0, SIDE_MAX + 1).map((found) => (found[1] ?? "").trimEnd());
  if (texts.length > SIDE_MAX || texts.some((row) => row.length > SIDE_MAX)) throw new Error(`more than ${SIDE_MAX} rows or columns`);
  const unknown = texts.find((row) => /[^#@+$*. _-]/.test(row));
  if (unknown !== undefined) throw new Error(`a row has characters of no meaning: ${unknown}`);
  return texts.map((row) => row.replaceAll(/[-_]/g, " "));
}

/**
 * Rows without the boxes and goals that the player cannot reach: they are decoration. Without a player all count.
 * @param {string[]} rows
 */
export function inPlay(rows) {
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
  const rows = inPlay(isXml(text) ? ofXml(text) : board(text));
  const boxes = [...rows.join("")].filter((letter) => letter === "$" || letter === "*").length;
  if (!isLevel(rows)) throw new Error("the first level has not one player, boxes, and as many goals within reach");
  return { title: "A level from a file", template_rows: rows, min_boxes: boxes, max_boxes: boxes };
}
