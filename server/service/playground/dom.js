// Elements made of texts, never of markup: whatever a problem is called, it stays a text.

const SVG = "http://www.w3.org/2000/svg";

/** Characters that would not be seen, or would turn the direction of what follows. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A text as it is shown: unseen characters as their code points, and no longer than `max` characters.
 * @param {unknown} text
 * @param {number} [max]
 * @returns {string}
 */
export function shown(text, max = 400) {
  const whole = String(text ?? "");
  // Cut first: a text of a megabyte is not searched for what is not shown.
  const part = whole.length > max ? `${whole.slice(0, max)}…` : whole;
  return part.replace(UNSEEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

/**
 * An element. Attributes that begin with `on` are listeners; `true` is an attribute without a value, `false` and nothing are none.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement & Record<string, any>}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    // There "false" differs from no value.
    else if (name.startsWith("aria-") && value != null) node.setAttribute(name, String(value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child != null).map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

/**
 * The element of the page with an id, which index.html has.
 * @param {string} id
 * @returns {HTMLElement & Record<string, any>}
 */
export function byId(id) {
  return /** @type {any} */ (document.getElementById(id));
}

/**
 * A button.
 * @param {string} label
 * @param {() => void} act
 * @param {Record<string, unknown>} [attributes]
 */
export function button(label, act, attributes = {}) {
  return el("button", { type: "button", onclick: act, ...attributes }, label);
}

/**
 * Says something to those who look and to those who listen.
 * @param {string} text
 * @param {"note" | "bad"} [kind]
 */
export function say(text, kind = "note") {
  const line = byId("say");
  line.className = kind;
  line.textContent = shown(text, 600);
}

/**
 * Runs `act` when there was no call for that many milliseconds.
 * @param {(...args: any[]) => void} act
 * @param {number} ms
 */
export function later(act, ms) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), ms);
  };
}

/**
 * Gives what is in hand to the user as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  // The browser has taken it by the time that it comes back to us.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
