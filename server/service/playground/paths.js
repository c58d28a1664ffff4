// Paths of fields in the form of the server (`tasks[3].windows`), and their positions in JSON texts.

/**
 * The steps of a path.
 * @param {string} path
 * @returns {(string | number)[]}
 */
export function steps(path) {
  const found = path.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return found.map((step) => (step.startsWith("[") ? Number(step.slice(1, -1)) : step));
}

/**
 * The path of some steps.
 * @param {(string | number)[]} all
 */
export function path(all) {
  return all.map((step, i) => (typeof step === "number" ? `[${step}]` : (i ? "." : "") + step)).join("");
}

/**
 * The value at some steps, or undefined.
 * @param {any} value
 * @param {(string | number)[]} all
 */
export function valueAt(value, all) {
  return all.reduce((inner, step) => (inner == null ? undefined : inner[step]), value);
}

/**
 * Begin and end of each value of a valid JSON text, by path.
 * @param {string} text
 * @returns {Map<string, [number, number]>}
 */
export function positions(text) {
  const found = new Map();
  // A token: a text, another value or a mark. Marks within texts do not count.
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  /** @type {{steps: (string|number)[], begin: number, list: boolean}[]} */
  const open = [];
  const here = [];
  let name = false;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [word] = match;
    const top = open[open.length - 1];
    if (word === "{" || word === "[") {
      open.push({ steps: [...here], begin: match.index, list: word === "[" });
      here.push(word === "[" ? 0 : "");
      name = word === "{";
    } else if (word === "}" || word === "]") {
      here.pop();
      const ended = open.pop();
      found.set(path(ended.steps), [ended.begin, match.index + 1]);
      name = false;
    } else if (word === ",") {
      if (top.list) here[here.length - 1] += 1;
      else name = true;
    } else if (word === ":") {
      name = false;
    } else if (name) {
      here[here.length - 1] = JSON.parse(word);
    } else {
      found.set(path(here), [match.index, match.index + word.length]);
    }
  }
  return found;
}
