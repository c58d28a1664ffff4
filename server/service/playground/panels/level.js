// Texts about a level of a heist: traps, pitfalls and help.

import { el, shown } from "../dom.js";
import { number, word } from "../words.js";

const list = (lines, attributes = {}) => el("ul", attributes, ...lines.map((line) => el("li", {}, shown(line, 300))));

function actionText({ tick = 0, verb, target_id: id }) {
  return `tick ${tick}: ${word(verb, "HEIST_INTERVENTION_VERB_")} ${id}`;
}

/**
 * The traps of a designed level.
 * @param {any} level
 */
export function traps(level) {
  if (!level) return [];
  const all = (level.traps ?? []).map(({ room_id: room, by_id: by }) => `${room}: ${by} catches the burglar`);
  const missing = level.missing_trap_count ? `, ${level.missing_trap_count} fewer than requested` : "";
  const help = (level.help ?? []).map(actionText);
  return [
    el("p", {}, `${all.length} traps${missing}.`),
    list(all, { class: "traps" }),
    ...(help.length ? [el("p", {}, `With this help the burglar wins (cost ${number(Number(level.help_cost ?? 0))}):`), list(help)] : []),
  ];
}

/** The ending without help, as text. */
function end(found) {
  const by = found.by_id ? ` by ${found.by_id}` : "";
  const where = found.room_id ? ` in ${found.room_id}` : "";
  return `Without help: ${word(found.ending, "HEIST_ENDING_")}${by}${where} after ${number(found.tick_count ?? 0)} ticks.`;
}

/**
 * The findings of an analysis.
 * @param {any} found `HeistAnalysis`
 */
export function analysis(found) {
  if (!found) return [];
  const { pitfalls = [], surprises = [], help, hints = [] } = found;
  const pits = pitfalls.map(({ room_id: room, unknown = [] }) => `${room}: ${unknown.map((one) => one.message).join("; ")}`);
  const odd = surprises.map(({ tick = 0, subject_id: id, refusal }) => `tick ${tick}: ${id} is not as the burglar believes${refusal ? ` (${refusal})` : ""}`);
  const part = (label, lines) => (lines.length ? [el("p", {}, label), list(lines)] : []);
  const helped = (help?.interventions ?? []).map(actionText);
  const ladder = el("ol", {}, ...hints.map((hint) => el("li", {}, shown(hint.message, 300))));
  return [
    el("div", { class: "analysis" },
      found.unhelped_end ? el("p", {}, shown(end(found.unhelped_end), 300)) : null,
      ...part("Rooms with unknown traps in the burglar's plan:", pits),
      ...part("Surprises for the burglar:", odd),
      help ? el("p", {}, `Help: ${word(help.kind, "HEIST_HELP_KIND_")}, cost ${number(help.cost ?? 0)}.`) : null,
      ...part("Its actions:", helped),
      hints.length ? el("details", {}, el("summary", {}, `Hints (${hints.length}), the vaguest first`), ladder) : null,
    ),
  ];
}
