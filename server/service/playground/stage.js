// Pictures of the plans of a search, with a slider over the plans.

import { button, el, shown } from "./dom.js";
import { View } from "./view.js";
import { number, time } from "./words.js";

/** Largest number of cached pictures. */
const PICTURES_MAX = 12;

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {string} label the name of the pictures for screen readers
   */
  constructor(root, label) {
    this.label = label;
    this.run = null;
    this.index = -1;
    this.following = true;
    /** @type {Set<number>} numbers of the plans that have been drawn */
    this.seen = new Set();
    /** Whether the first plan has been drawn, or tried. */
    this.begun = false;
    /** @type {Map<string, string>} cached pictures, oldest first */
    this.pictures = new Map();
    this.drawing = false;
    this.dirty = false;
    this.view = new View(label);
    this.image = this.view.element;
    this.empty = el("p", { class: "empty" }, "Press Run (Ctrl+Enter).");
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": `${label}: which plan`,
      oninput: () => this.choose(Number(this.slider.value)),
    });
    this.caption = el("output", { class: "caption" });
    this.bar = el(
      "div",
      { class: "scrubber", hidden: true },
      this.step("◀", "plan before", -1),
      this.slider,
      this.step("▶", "next plan", 1),
      this.caption,
    );
    const figure = el("figure", { class: "paper", tabindex: 0, "aria-label": label }, this.image, this.view.tools, this.empty);
    root.replaceChildren(figure, this.bar, this.view.clock);
  }

  step(sign, label, by) {
    return button(sign, () => this.choose(this.index + by), { "aria-label": `${this.label}: ${label}` });
  }

  /** Shows a search: its plans, or the problem while there are none. */
  show(run) {
    this.follow(run);
    this.change();
  }

  /** Shows the newest plan of a search from now on. The last picture stays until the first plan arrives. */
  follow(run) {
    this.forget();
    this.run = run;
    this.index = -1;
    this.following = true;
    this.seen.clear();
    this.begun = false;
    this.bar.hidden = true;
  }

  /** Index of the plan that is shown by default: the newest that is a result. */
  get newest() {
    const all = this.run?.incumbents ?? [];
    const found = all.findLastIndex((one) => one.isResult);
    return found < 0 ? all.length - 1 : found;
  }

  /** Updates the slider and the picture after plans have arrived. */
  change() {
    const last = (this.run?.incumbents.length ?? 0) - 1;
    if (this.following || this.index > last) this.index = this.newest;
    this.slider.max = Math.max(last, 0);
    this.bar.hidden = last < 0;
    this.draw();
  }

  /** @param {number} index */
  choose(index) {
    const last = this.run.incumbents.length - 1;
    this.index = Math.min(Math.max(index, 0), last);
    this.following = this.index === this.newest;
    this.draw();
    this.run.notify("chosen");
  }

  get incumbent() {
    return this.run?.incumbents[this.index];
  }

  /** Draws the chosen plan. Choices made while a picture is loaded replace each other. */
  async draw() {
    this.dirty = true;
    if (this.drawing) return;
    this.drawing = true;
    this.image.setAttribute("aria-busy", "true");
    while (this.dirty) {
      this.dirty = false;
      const { run } = this;
      if (!run) break;
      // The first plan is always drawn first, however fast the search is.
      const incumbent = this.following && !this.begun ? run.incumbents[0] : this.incumbent;
      this.begun ||= Boolean(incumbent);
      this.dirty = incumbent !== this.incumbent;
      try {
        const picture = await this.picture(run, incumbent);
        if (run === this.run) this.put(picture, incumbent);
      } catch (error) {
        this.empty.textContent = shown(error.message);
        this.empty.hidden = false;
      }
    }
    this.drawing = false;
    this.image.setAttribute("aria-busy", "false");
  }

  async picture(run, incumbent) {
    // The last message repeats the best plan, with more detail.
    const key = JSON.stringify([incumbent?.number, Boolean(run.answer)]);
    const kept = this.pictures.get(key);
    if (kept) return kept;
    const picture = await run.picture(incumbent, "PICTURE_FORMAT_SVG");
    this.pictures.set(key, picture);
    const [oldest] = this.pictures.keys();
    if (this.pictures.size > PICTURES_MAX) this.pictures.delete(oldest);
    return picture;
  }

  put(picture, incumbent) {
    const { image } = this;
    this.view.show(picture);
    this.empty.hidden = true;
    const all = this.run.incumbents;
    const index = all.indexOf(incumbent);
    this.slider.value = Math.max(index, 0);
    const levels = incumbent?.levels.map(number).join(" / ");
    const name = incumbent?.label || `plan ${index + 1} of ${all.length}`;
    const text = incumbent ? `${name} · ${time(incumbent.elapsed)} · cost ${levels || "–"}` : "";
    this.caption.textContent = text + (incumbent?.foundBy ? ` · ${shown(incumbent.foundBy, 60)}` : "");
    this.slider.setAttribute("aria-valuetext", text);
    image.setAttribute("aria-label", incumbent ? `${this.label}: ${text}` : `${this.label}: the problem`);
    if (incumbent) {
      this.seen.add(incumbent.number);
      performance.mark("picture");
    }
    image.dataset.plan = index + 1;
    image.dataset.drawn = this.seen.size;
  }

  forget() {
    this.pictures.clear();
  }
}
