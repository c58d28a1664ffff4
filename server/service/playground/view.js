// A picture that can be zoomed and moved, with a slider of its time.

import { button, el } from "./dom.js";
import { moment } from "./moment.js";

/** Largest zoom factor. */
const ZOOM_MAX = 40;
/** Duration of an animation over all of its time, in milliseconds. */
const SHOW_MS = 8000;
/** Style rules besides those of the picture: it fills the pane. */
const RULES = ":host{overflow:hidden}svg{display:block;width:100%;height:100%;touch-action:none;cursor:grab}[data-task]{cursor:move}";

export class View {
  /** @param {string} label the name of the picture for screen readers */
  constructor(label) {
    this.label = label;
    this.element = el("div", { class: "picture", role: "img", hidden: true });
    this.root = this.element.attachShadow({ mode: "open" });
    this.text = "";
    const tool = (sign, name, act) => button(sign, act, { "aria-label": `${label}: ${name}` });
    this.tools = el(
      "div",
      { class: "tools", hidden: true },
      tool("+", "larger", () => this.zoom(1.5)),
      tool("−", "smaller", () => this.zoom(1 / 1.5)),
      tool("⤢", "all of it", () => this.fit()),
    );
    this.slider = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": `${label}: moment` });
    this.slider.addEventListener("input", () => {
      cancelAnimationFrame(this.frame);
      this.tick();
    });
    this.time = el("output", {});
    this.clock = el("div", { class: "row clock", hidden: true }, button("▶ play", () => this.play()), this.slider, this.time);
    this.frame = 0;
    this.listen();
  }

  listen() {
    const { element } = this;
    let held = null;
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 500), this.place(event));
      },
      { passive: false },
    );
    element.addEventListener("pointerdown", (event) => {
      held = this.svg && this.place(event);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = this.place(event);
      this.box = [this.box[0] + held[0] - x, this.box[1] + held[1] - y, this.box[2], this.box[3]];
      this.apply();
    });
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => (held = null));
  }

  /** The position of a pointer in the picture. */
  place({ clientX, clientY }) {
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /**
   * Shows a picture. A picture of the same size keeps zoom and position.
   * @param {string} text
   */
  show(text) {
    if (text === this.text) return;
    this.text = text;
    // The content security policy forbids style elements, so rules are set as a style sheet.
    const [, rules = ""] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
    const parsed = new DOMParser().parseFromString(text.replace(/<style>[^<]*<\/style>/, ""), "image/svg+xml");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules + RULES);
    this.root.adoptedStyleSheets = [sheet];
    this.svg = document.importNode(parsed.documentElement, true);
    const whole = this.svg.getAttribute("viewBox").split(" ").map(Number);
    if (String(whole) !== String(this.whole)) this.box = whole;
    this.whole = whole;
    for (const name of ["width", "height"]) this.svg.removeAttribute(name);
    this.svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
    this.root.replaceChildren(this.svg);
    this.element.hidden = false;
    this.tools.hidden = false;
    this.clock.hidden = this.svg.dataset.to === undefined;
    this.apply();
    if (!this.clock.hidden) this.tick();
  }

  apply() {
    this.svg.setAttribute("viewBox", this.box.join(" "));
  }

  /**
   * @param {number} by the factor
   * @param {number[]} [at] the fixed point
   */
  zoom(by, at = [this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2]) {
    const now = this.whole[2] / this.box[2];
    const part = now / Math.min(Math.max(now * by, 0.5), ZOOM_MAX);
    const [x, y, width, height] = this.box;
    this.box = [at[0] + (x - at[0]) * part, at[1] + (y - at[1]) * part, width * part, height * part];
    this.apply();
  }

  /** Shows the whole picture. */
  fit() {
    this.box = this.whole;
    this.apply();
  }

  /** Shows the moment of the slider. */
  tick() {
    const [from, to] = [Number(this.svg.dataset.from), Number(this.svg.dataset.to)];
    const text = moment(this.svg, from + Number(this.slider.value) * (to - from));
    this.time.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  play() {
    cancelAnimationFrame(this.frame);
    const begin = performance.now();
    const go = (now) => {
      this.slider.value = Math.min(1, (now - begin) / SHOW_MS);
      this.tick();
      if (now - begin < SHOW_MS && this.element.isConnected) this.frame = requestAnimationFrame(go);
    };
    this.frame = requestAnimationFrame(go);
  }
}
