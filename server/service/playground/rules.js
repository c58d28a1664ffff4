// Rules of fields as texts.

const count = (value) => value.toLocaleString("en", { maximumSignificantDigits: 17 });

/** A range as in `0 to 5 s`; undefined if there is none. */
function range(least, most, unit) {
  if (least === undefined && most === undefined) return undefined;
  const ends =
    least === undefined ? `at most ${count(most)}` : most === undefined ? `at least ${count(least)}` : `${count(least)} to ${count(most)}`;
  return unit ? `${ends} ${unit}` : ends;
}

/**
 * The rules of a field.
 * @param {any} field
 */
export function allowed(field) {
  const value = [
    range(field.minimum, field.maximum, field.type === "duration" ? "s" : ""),
    // Without a largest length a text only must not be empty.
    field.max_length && range(field.min_length, field.max_length, "characters"),
    range(undefined, field.max_bytes, "bytes"),
  ];
  const each = value.filter(Boolean).join(", ");
  const size = range(field.min_items, field.max_items, "elements");
  const parts = [field.required && "required", size, each && (field.many ? `each ${each}` : each)];
  return parts.filter(Boolean).join("; ");
}

/**
 * The default that a comment names.
 * @param {string} doc
 */
export function byDefault(doc) {
  return /\bDefault: (.+?)\.(?=\s|$)/s.exec(doc)?.[1] ?? "";
}
