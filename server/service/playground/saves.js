// Saves problem, plan, picture, standalone page and bundle as files.

import { client } from "./client.js";
import { button, save } from "./dom.js";

/** Formats of problems besides JSON, with their planner; undefined: all planners. */
const FORMATS = {
  yaml: undefined,
  solomon: "allocation",
  tiles: "patrol",
  literature: "patrol",
  museum: "heist",
  pddl: "heist",
};

/** Saves a problem in a format that the server writes. */
async function exportProblem({ planner, problem }, format) {
  const { files } = await client.call("PlanningService/ExportProblem", { problem: { [planner]: problem }, format });
  for (const { name, content } of files) save(name, content, "text/plain");
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Buttons of the menu.
 * @param {HTMLElement} menu
 * @param {() => {run: import("./run.js").Run | null, editor: any, incumbent: any}} current
 * @param {(act: () => any) => void} guarded
 */
export function offer(menu, current, guarded) {
  const solved = () => {
    const { run, incumbent } = current();
    if (!run || !incumbent) throw new Error("there is no plan yet: press Run");
    return { run, incumbent };
  };
  const saves = {
    "Problem (JSON)": () => save("problem.json", json(current().editor.problem), "application/json"),
    "Plan (JSON)": () => {
      const { plan } = solved().incumbent;
      if (!plan) throw new Error("the picture shows no plan");
      save("plan.json", json(plan), "application/json");
    },
    "Picture (SVG)": async () => {
      const { run, incumbent } = solved();
      save("plan.svg", await run.picture(incumbent, "PICTURE_FORMAT_SVG"), "image/svg+xml");
    },
    "Standalone page (HTML)": async () => {
      const { run, incumbent } = solved();
      save("plan.html", await run.picture(incumbent, "PICTURE_FORMAT_HTML"), "text/html");
    },
    "Bundle for `stratagem replay`": () => {
      const { run } = current();
      if (!run?.answer) throw new Error("there is no response yet: press Run");
      const method = `stratagem.v1.${run.method.rpc}`;
      const bundle = { stratagem_bundle: 1, client: "playground", method, request: run.request(), answer: run.answer };
      save("run.bundle.json", json(bundle), "application/json");
    },
  };
  const plain = Object.entries(saves).map(([label, act]) => button(label, () => guarded(act)));
  const others = Object.entries(FORMATS).map(([format, planner]) => {
    const act = () => guarded(() => exportProblem(current().editor, format));
    return button(`Problem (${format})`, act, planner ? { "data-planner": planner } : {});
  });
  menu.replaceChildren(...plain, ...others);
  const { editor } = current();
  editor.addEventListener("open", () => {
    for (const one of others) one.hidden = (one.dataset.planner ?? editor.planner) !== editor.planner;
  });
}
