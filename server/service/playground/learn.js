// Learns a story domain from a text, and opens it as a problem.

import { client } from "./client.js";
import { button, el, shown } from "./dom.js";
import { number, word } from "./words.js";

/** Largest number of listed words. */
const WORDS_MAX = 30;
/** Limit of the contract on bytes of a text and of relations. */
const BYTES_MAX = 4 << 20;
const TEXT_HINT = "put it into the server's folder of books; `stratagem story learn server:NAME` learns from it";
const RELATIONS_HINT = "`stratagem story learn TEXT --relations FILE` sends the part that concerns the text, and learns from it";
const CLASSES = ["actor", "item", "place", "other"];

/** Throws if a text is too large for a request. `hint`: another way to learn from it. */
function checkSize(bytes, name, hint) {
  if (bytes > BYTES_MAX) throw new Error(`${name} is larger than 4 MiB: ${hint}`);
}

/** The text of a file; empty if no file was chosen. */
async function contents(file, hint) {
  if (file) checkSize(file.size, file.name, hint);
  return (await file?.text()) ?? "";
}

/** The text of an input. A character may take several bytes. */
function pasted(field, name, hint) {
  checkSize(new TextEncoder().encode(field.value).length, name, hint);
  return field.value;
}

/** A table of words with their classes. */
function table(words) {
  const row = (one) => {
    const probability = Math.max(...(one.probabilities ?? []).map(Number), 0);
    const kind = word(one.word_class, "STORY_WORD_CLASS_");
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, shown(one.text, 40)),
      el("td", {}, CLASSES.includes(kind) ? kind : "–"),
      el("td", {}, `${number(100 * probability)} %`),
    );
  };
  const head = ["word", "class", "probability"].map((name) => el("th", { scope: "col" }, name));
  return el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...words.slice(0, WORDS_MAX).map(row)));
}

/**
 * Fills a menu with the inputs for learning.
 * @param {HTMLDetailsElement} menu
 * @param {{guarded: (act: () => any) => void, open: (problem: any) => void}} context
 */
export function learn(menu, { guarded, open }) {
  const area = (placeholder, label) => el("textarea", { rows: 7, placeholder, "aria-label": label, spellcheck: "false" });
  const text = area("Paste the text here, or choose a file", "Text of the book");
  const relations = area("Relations of words (optional), one per line: IsA, word, kind, separated by tabs", "Relations of words");
  const fileInput = (into, label, hint) =>
    el("input", {
      type: "file",
      "aria-label": label,
      onchange: (event) =>
        guarded(async () => {
          into.value = await contents(event.target.files[0], hint);
        }),
    });
  const state = el("p", { role: "status" });
  const words = el("div");
  let controller = new AbortController();
  const read = async (signal) => {
    state.textContent = "reading …";
    const books = {
      text: pasted(text, "the text", TEXT_HINT),
      relations: pasted(relations, "the list of relations", RELATIONS_HINT),
    };
    const request = { books, options: { priority: "PRIORITY_LOW", time_budget: "30s" } };
    let lesson;
    for await (const message of client.stream("StoryService/LearnStoryDomain", request, { signal })) {
      lesson = message.plan ?? lesson;
      const found = message.plan?.words ?? [];
      if (message.plan) state.textContent = `round ${lesson.round ?? 0}: ${lesson.word_count ?? 0} words in ${lesson.sentence_count ?? 0} sentences`;
      if (found.length) words.replaceChildren(table(found));
      const { report } = message;
      if (report && !lesson?.domain) state.textContent = shown(report.explanation?.summary || "nothing can be learned from this text");
    }
    if (lesson?.domain) open(lesson.domain);
  };
  const begin = () =>
    guarded(async () => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      try {
        await read(signal);
      } catch (error) {
        // An aborted request was replaced by a new one.
        if (signal.aborted) return;
        state.textContent = "";
        throw error;
      }
    });
  menu
    .querySelector("div")
    .replaceChildren(
      text,
      fileInput(text, "Text from a file", TEXT_HINT),
      relations,
      fileInput(relations, "Relations from a file", RELATIONS_HINT),
      button("Learn", begin, { class: "main" }),
      state,
      words,
    );
}
