// The searchable reference of the contract: methods, messages and enums with their comments.

import { byId, el } from "./dom.js";
import { allowed, byDefault } from "./rules.js";

const link = (name) => el("a", { href: `#${name}` }, name);

/** A text with names between backquotes as code. */
function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

function paragraphs(doc) {
  return doc.split(/\n\s*\n/).map((part) => el("p", {}, ...coded(part)));
}

function table(heads, rows) {
  const head = el("tr", {}, ...heads.map((one) => el("th", {}, one)));
  const body = rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...[cell].flat()))));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, ...body));
}

function type(field) {
  const name = field.message ?? field.enum;
  const kind = [name ? link(name) : field.type];
  if (field.many) kind.unshift("list of ");
  if (field.oneof) kind.push(el("br"), `one of ${field.oneof}`);
  return kind;
}

function service({ name, doc, methods }) {
  const rows = methods.map((method) => [
    el("code", { id: `${name}.${method.name}` }, method.name),
    [link(method.request), " → ", method.stream ? "stream of " : "", link(method.response)],
    paragraphs(method.doc),
  ]);
  return section(name, "service", doc, table(["method", "messages", "meaning"], rows));
}

function message(name, { doc, fields }) {
  const rows = fields.map((field) => [
    el("code", { id: `${name}.${field.name}` }, field.name),
    type(field),
    allowed(field),
    coded(byDefault(field.doc)),
    paragraphs(field.doc),
  ]);
  return section(name, "message", doc, table(["field", "type", "allowed", "default", "meaning"], rows));
}

function constants(name, values) {
  const rows = values.map((value) => [el("code", {}, value.name), paragraphs(value.doc)]);
  return section(name, "enum", "", table(["value", "meaning"], rows));
}

function section(name, kind, doc, content) {
  const title = el("h2", {}, `${kind} `, el("code", {}, name));
  return el("section", { id: name }, title, ...paragraphs(doc), content);
}

/** Shows the entries that contain all words, and their number. */
function search(entries, words) {
  let found = 0;
  for (const { text, parts } of entries) {
    const has = words.every((word) => text.includes(word));
    for (const part of parts) part.hidden = !has;
    found += Number(has);
  }
  byId("count").textContent = `${found} of ${entries.length}`;
}

async function main() {
  const contract = await (await fetch("contract.json")).json();
  const sections = [
    ...contract.services.map(service),
    ...Object.entries(contract.messages).map(([name, one]) => message(name, one)),
    ...Object.entries(contract.enums).map(([name, one]) => constants(name, one)),
  ];
  const entries = sections.map((one) => ({ text: one.textContent.toLowerCase(), parts: [one, link(one.id)] }));
  byId("sections").replaceChildren(...sections);
  byId("names").replaceChildren(...entries.map(({ parts }) => parts[1]));
  const box = byId("search");
  const again = () => search(entries, box.value.toLowerCase().split(/\s+/));
  /** Shows the entry that the address names, whatever is searched. */
  const jump = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      box.value = "";
      again();
    }
    target.scrollIntoView();
  };
  box.addEventListener("input", again);
  addEventListener("hashchange", jump);
  again();
  jump();
  document.body.dataset.state = "ready";
}

main();
