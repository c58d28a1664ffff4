// PSPLIB's projects (`.sm`, and `.mm` without nonrenewable resources), as the command line reads them.

/** Beyond that no instance goes, and the command line reads none. */
const NUMBER_MAX = 1_000_000;

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
  const inside = rest.slice(0, to < 0 ? rest.length : to).filter((line) => /^\s*[-+]*\d/.test(line));
  return inside.map((line) => {
    const words = line.trim().split(/\s+/);
    if (!words.every((word) => /^\+?\d+$/.test(word) && Number(word) <= NUMBER_MAX))
      throw new Error(`under ${heading} whole numbers from 0 to ${NUMBER_MAX} are wanted`);
    return words.map(Number);
  });
}

/** A mode with a duration and the amount of each resource. */
function mode([time, ...amounts]) {
  const demands = amounts.map((amount, i) => ({ resource_id: `R${i + 1}`, amount })).filter(({ amount }) => amount > 0);
  return demands.length ? { work_duration: `${time}s`, demands } : { work_duration: `${time}s` };
}

/** @param {string} text */
export function read(text) {
  const lines = text.split(/\r?\n/);
  const [available] = section(lines, "RESOURCEAVAILABILITIES:");
  if (!available) throw new Error("there are no RESOURCEAVAILABILITIES");
  const columns = lines[lines.findIndex((line) => line.trim() === "RESOURCEAVAILABILITIES:") + 1];
  if (columns.includes("N")) throw new Error("nonrenewable resources are not supported");
  const jobs = new Map();
  let last;
  for (const numbers of section(lines, "REQUESTS/DURATIONS:")) {
    // A further mode of a job stands on a line without its number.
    const first = numbers.length === available.length + 3 && numbers[1] === 1;
    if (!first && numbers.length !== available.length + 2) throw new Error("job, mode, duration and demands are wanted");
    if (first) {
      last = numbers[0];
      if (jobs.has(last)) throw new Error(`job ${last} is there twice`);
      jobs.set(last, []);
    }
    const modes = jobs.get(last);
    if (!modes) throw new Error("a mode has no job");
    if (numbers[first ? 1 : 0] !== modes.length + 1) throw new Error("job, mode, duration and demands are wanted");
    modes.push(mode(numbers.slice(first ? 2 : 1)));
  }
  const title = lines.find((line) => line.startsWith("file with basedata"))?.replace(/^file with basedata[ :]*/, "");
  const precedences = [];
  for (const [job, modes, count, ...after] of section(lines, "PRECEDENCE RELATIONS:")) {
    if (count !== after.length) throw new Error(`job ${job} has ${after.length} successors instead of ${count}`);
    const unknown = [...after, job].find((one) => !jobs.has(one));
    if (unknown !== undefined) throw new Error(`there is no job ${unknown}`);
    const known = jobs.get(job).length;
    if (known !== modes) throw new Error(`job ${job} has ${known} modes instead of ${modes}`);
    for (const next of after) precedences.push({ from_activity_id: String(job), to_activity_id: String(next) });
  }
  return {
    title: title?.trim() ?? "",
    activities: [...jobs].sort(([a], [b]) => a - b).map(([job, modes]) => ({ id: String(job), modes })),
    precedences,
    resources: available.map((capacity, i) => ({ id: `R${i + 1}`, capacity })),
  };
}
