// Inputs of fields: texts, numbers, enums, durations, and lists of them.

import { el, shown } from "./dom.js";

const NUMBERS = new Set(["double", "float", "int32", "sint32", "uint32"]);
/** Longer texts get several lines. */
const ONE_LINE_MAX = 60;
/** Longer texts cannot be edited here: browsers take seconds to lay them out. */
const EDITED_MAX = 20_000;

/** Names of an enum's values without their common prefix. */
function valueName(value, all) {
  const [first] = all;
  const type = first.name.replace(/UNSPECIFIED$/, "");
  return value.name === first.name ? "–" : value.name.replace(type, "").toLowerCase().replaceAll("_", " ");
}

function choice(values, value, set) {
  const options = values.map((one) =>
    el("option", { value: one.name, title: one.doc, selected: one.name === (value ?? values[0].name) }, valueName(one, values)),
  );
  return el(
    "select",
    { onchange: (event) => set(event.target.value === values[0].name ? undefined : event.target.value) },
    ...options,
  );
}

/** A choice of yes, no or the default. */
function optionalBool(value, set) {
  const choices = { "": undefined, yes: true, no: false };
  const options = Object.entries(choices).map(([name, one]) => el("option", { value: name, selected: one === value }, name || "–"));
  return el("select", { onchange: (event) => set(choices[event.target.value]) }, ...options);
}

/** A duration from a text such as `90`, `90s`, `1.5 min`, `2h` or `250ms`; undefined if the text is invalid. */
export function duration(text) {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*(ms|s|min|m|h)?\s*$/.exec(text);
  if (!match) return undefined;
  const [, count, unit] = match;
  // Seconds stay as typed: a product could change the fraction.
  if (!unit || unit === "s") return `${count}s`;
  const factor = { ms: 0.001, min: 60, m: 60, h: 3600 }[unit];
  return `${Number((Number(count) * factor).toFixed(6))}s`;
}

function parsed(field, text) {
  if (text === "") return undefined;
  if (NUMBERS.has(field.type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (field.type === "duration") return duration(text) ?? text;
  return text;
}

const isNumber = (field) => NUMBERS.has(field.type) || field.type === "int64";

/** The attributes of an input of a number, with its range. */
function numeric(field, change) {
  const { minimum: min, maximum: max, type } = field;
  // An incomplete number, as in `1e`, does not remove the value.
  const onchange = (event) => event.target.validity?.badInput || change(event);
  return { type: "number", min, max, step: type === "double" || type === "float" ? "any" : 1, onchange };
}

function textLines(field, value, set) {
  const list = value ?? [];
  const text = list.join("\n");
  const area = el("textarea", {
    rows: Math.min(list.length + 1, 10),
    spellcheck: "false",
    class: "lines",
    placeholder: "one per line",
    wrap: "off",
  });
  area.value = text;
  area.addEventListener("change", () => {
    // Rows of boards may begin and end with blanks. Blank last lines are dropped.
    const given = area.value.replace(/\n+$/, "").split("\n");
    const all = given.map((one) => parsed(field, one));
    set(area.value.trim() ? all : undefined);
  });
  return area;
}

/**
 * The input of a field of a simple type.
 * @param {any} field of the contract
 * @param {any} value
 * @param {{values: any[] | undefined, set: (value: any) => void}} context
 */
export function input(field, value, { values, set }) {
  if (field.many) return textLines(field, value, set);
  if (values) return choice(values, value, set);
  // An absent value may count as true: see the comment of the field.
  if (field.type === "bool" && field.optional) return optionalBool(value, set);
  if (field.type === "bool")
    return el("input", {
      type: "checkbox",
      checked: value === true,
      onchange: (event) => set(event.target.checked || undefined),
    });
  if (String(value ?? "").length > EDITED_MAX)
    return el("input", {
      type: "text",
      readonly: true,
      value: `${shown(value, 60)} (${String(value).length} characters: see JSON)`,
    });
  const change = (event) => set(parsed(field, event.target.value));
  if (field.type === "string" && (field.name === "description" || String(value ?? "").length > ONE_LINE_MAX)) {
    const area = el("textarea", { rows: 3, onchange: change });
    area.value = value ?? "";
    return area;
  }
  const attributes = { type: "text", spellcheck: "false", autocomplete: "off", onchange: change, "aria-required": field.required };
  // A value that is not a number is shown as text.
  if (isNumber(field) && Number.isFinite(Number(value ?? 0))) Object.assign(attributes, numeric(field, change));
  if (field.type === "duration") attributes.placeholder = "as in 1.5s";
  const line = el("input", attributes);
  line.value = value ?? "";
  return line;
}

/**
 * The title of an element of a list: its name if it has one.
 * @param {any} value
 * @param {number} i
 */
export function title(value, i) {
  const name = value?.label || value?.id || value?.name || value?.agent_id || value?.type_name;
  if (name) return shown(name, 60);
  const ends = [
    value?.from_event_id ?? value?.from_node_id ?? value?.from_vertex_id,
    value?.to_event_id ?? value?.to_node_id ?? value?.to_vertex_id,
  ];
  return ends[0] ? shown(`${ends[0]} → ${ends[1]}`, 80) : `${i + 1}`;
}
