// Dragging tasks in the picture moves their places.

/** The point of a task. */
const point = (task) => task?.place?.point && [task.place.point.x ?? 0, task.place.point.y ?? 0];

/**
 * Converts points of the picture to those of the problem, from the places of drawn tasks. Both axes have the same scale, and y points up.
 * @param {SVGElement[]} dots
 * @param {Map<string, any>} tasks
 */
function scale(dots, tasks) {
  const known = dots.map((dot) => ({ at: ["cx", "cy"].map((name) => Number(dot.getAttribute(name))), point: point(tasks.get(dot.dataset.task)) }));
  const [one] = known;
  const far = (other) => Math.hypot(other.at[0] - one.at[0], other.at[1] - one.at[1]);
  const other = known.reduce((best, next) => (far(next) > far(best) ? next : best), one);
  if (!one?.point || !other.point || !far(other)) return undefined;
  const units = Math.hypot(other.point[0] - one.point[0], other.point[1] - one.point[1]) / far(other);
  // A pointer is no more precise.
  const round = (value) => Number(value.toPrecision(4));
  return (x, y) => ({ x: round(one.point[0] + (x - one.at[0]) * units), y: round(one.point[1] - (y - one.at[1]) * units) });
}

/** @type {(root: HTMLElement, run: import("../run.js").Run, context: import("./index.js").Context) => (() => void) | void} */
export function panel(_, run, { editor, start, stage }) {
  const { view } = stage;
  const tasks = new Map((run.problem.tasks ?? []).map((task) => [task.id, task]));
  let held = null;
  // Remove the listeners of the search before.
  view.grabs?.abort();
  view.grabs = new AbortController();
  const listen = (name, act) => view.root.addEventListener(name, act, { signal: view.grabs.signal });
  listen("pointerdown", (event) => {
    held = event.target.closest?.("[data-task]");
    // Keep the picture in its position.
    if (held) event.stopPropagation();
  });
  listen("pointermove", (event) => {
    if (!held) return;
    const box = held.parentNode.getScreenCTM().inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(box);
    held.dataset.moved = `${at.x} ${at.y}`;
    held.setAttribute("transform", `translate(${at.x - held.getAttribute("cx")} ${at.y - held.getAttribute("cy")})`);
  });
  listen("pointerup", () => {
    const back = held?.dataset.moved && scale([...view.root.querySelectorAll("[data-task]")], tasks);
    const task = back && (editor.problem.tasks ?? []).find((one) => one.id === held.dataset.task);
    if (task) {
      task.place = { point: back(...held.dataset.moved.split(" ").map(Number)) };
      editor.replaced();
      start();
    }
    held = null;
  });
  return () => {};
}
