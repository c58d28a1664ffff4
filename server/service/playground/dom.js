// Elements of the page. Texts of problems are never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Invisible characters, and characters that change the direction of text. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A text for display: invisible characters as code points, cut to `max` characters.
 * @param {unknown} text
 * @param {number} [max]
 * @returns {string}
 */
export function shown(text, max = 400) {
  const whole = String(text ?? "");
  // Cut first, so that long texts are not searched whole.
  const part = whole.length > max ? `${whole.slice(0, max)}…` : whole;
  return part.replace(UNSEEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

/**
 * An HTML element. Attributes that begin with `on` are listeners; `true` is an attribute without a value, `false` and `undefined` are left out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
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
    // In ARIA "false" differs from an absent attribute.
    else if (name.startsWith("aria-") && value != null) node.setAttribute(name, String(value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child != null).map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

/**
 * The element of index.html with an id.
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
 * Shows a message, also to screen readers.
 * @param {string} text
 * @param {"note" | "bad"} [kind]
 */
export function say(text, kind = "note") {
  const line = byId("say");
  line.className = kind;
  line.textContent = shown(text, 600);
}

/**
 * Runs `act` once `ms` milliseconds have passed without another call.
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
 * Saves a text as a file of the user.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  // Browsers have read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
