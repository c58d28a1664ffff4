// PSPLIB's project scheduling with one mode a job (`.sm`), as the command line reads it: a narrative whose jobs take exactly their time.

/** @param {string} text */
export function looksLike(text) {
  return text.includes("PRECEDENCE RELATIONS:") && text.includes("RESOURCEAVAILABILITIES:");
}

/** The lines of numbers under a heading, up to the next row of stars. */
function section(lines, heading) {
  const from = lines.findIndex((line) => line.trim() === heading);
  if (from < 0) throw new Error(`there is no \`${heading}\``);
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => line.startsWith("***"));
  const inside = rest.slice(0, to < 0 ? rest.length : to).filter((line) => /^\s*\d/.test(line));
  return inside.map((line) => {
    const found = line.trim().split(/\s+/).map(Number);
    if (found.some((number) => !Number.isInteger(number))) throw new Error(`under ${heading}: whole numbers are wanted`);
    return found;
  });
}

/** @param {string} text */
export function read(text) {
  const lines = text.split(/\r?\n/);
  const jobs = section(lines, "REQUESTS/DURATIONS:");
  const [available = []] = section(lines, "RESOURCEAVAILABILITIES:");
  const length = new Map(jobs.map(([job, , time]) => [job, time]));
  const done = (job) => (length.get(job) ? `${job} done` : String(job));
  const problem = {
    title: "",
    events: [],
    links: [],
    activities: [],
    resources: available.map((capacity, i) => ({ id: `R${i + 1}`, capacity })),
    objective: { makespan_weight: 1 },
  };
  problem.title =
    lines
      .find((line) => line.startsWith("file with basedata"))
      ?.split(":")[1]
      ?.trim() ?? "";
  for (const [job, mode, time, ...demands] of jobs) {
    if (mode !== 1) throw new Error(`job ${job} has another mode than 1`);
    problem.events.push({ id: String(job) });
    if (!time) continue;
    problem.events.push({ id: done(job) });
    problem.links.push({
      id: `duration of ${job}`,
      from_event_id: String(job),
      to_event_id: done(job),
      lower: `${time}s`,
      upper: `${time}s`,
    });
    const needed = demands.map((amount, i) => ({ resource_id: `R${i + 1}`, amount })).filter((demand) => demand.amount > 0);
    problem.activities.push({ id: `job ${job}`, start_event_id: String(job), end_event_id: done(job), demands: needed });
  }
  for (const [job, , count, ...after] of section(lines, "PRECEDENCE RELATIONS:")) {
    if (count !== after.length) throw new Error(`job ${job} has ${after.length} successors instead of ${count}`);
    for (const next of after)
      problem.links.push({ id: `${job} before ${next}`, from_event_id: done(job), to_event_id: String(next), lower: "0s" });
  }
  return problem;
}
