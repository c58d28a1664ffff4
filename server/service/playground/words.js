// Texts of numbers and names.

/**
 * Seconds of a duration in JSON, as in `"1.5s"`; 0 if it is absent.
 * @param {string | undefined} duration
 */
export function seconds(duration) {
  return duration ? Number.parseFloat(duration) : 0;
}

/**
 * A text of a time, as in `1 h 05 min` or `12.5 s`.
 * @param {number} s
 */
export function time(s) {
  if (s < 0) return `-${time(-s)}`;
  if (s >= 3600) return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, "0")} min`;
  if (s >= 60) return `${Math.floor(s / 60)} min ${String(Math.floor(s % 60)).padStart(2, "0")} s`;
  return s >= 1 || s === 0 ? `${number(s)} s` : `${number(s * 1000)} ms`;
}

/**
 * A text of a number with four significant digits.
 * @param {number | undefined} value
 */
export function number(value) {
  if (value == null) return "–";
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(2);
  return String(Number(value.toPrecision(size >= 1e4 ? 7 : 4)));
}

/**
 * A text of an enum's value: without its type, in lower case.
 * @param {string | undefined} value
 * @param {string} type as in `SOLVE_STATUS_`
 */
export function word(value, type) {
  return (value ?? "").replace(type, "").toLowerCase().replaceAll("_", " ");
}

/**
 * A text of a name in lower_snake_case.
 * @param {string} name
 */
export function spaced(name) {
  return name.replaceAll("_", " ");
}
