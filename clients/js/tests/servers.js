/** Servers as processes of their own. The program is in the folder that STRATAGEM_BIN_DIR names. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** How long anything may take that should be there immediately. Reached only when something is broken. */
export const PATIENCE_MS = 60_000;

/** A server, which keeps its address when it is started again. */
export class Server {
  #flags;
  #listen = "127.0.0.1:0";

  constructor(...flags) {
    this.#flags = flags;
  }

  async start() {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("STRATAGEM_")));
    const flags = ["--listen", this.#listen, "--metrics-listen", "127.0.0.1:0", "--lame-duck", "0ms", ...this.#flags];
    this.process = spawn(`${process.env.STRATAGEM_BIN_DIR}/stratagem-server`, flags, { env, stdio: ["ignore", "ignore", "pipe"] });
    for await (const line of createInterface({ input: this.process.stderr })) {
      const { message, address, metrics } = JSON.parse(line);
      if (message !== "listening") continue;
      this.#listen = address;
      this.metrics = `http://${metrics}/metrics`;
      break;
    }
    this.process.stderr.resume();
    return this;
  }

  get address() {
    return `http://${this.#listen}`;
  }

  async kill() {
    const isRunning = this.process.exitCode === null && this.process.signalCode === null;
    if (this.process.kill("SIGKILL") && isRunning) await once(this.process, "exit");
  }

  terminate() {
    this.process.kill("SIGTERM");
  }

  /** The sum of a metric over all series that have these labels. */
  async total(name, ...labels) {
    const page = await (await fetch(this.metrics)).text();
    const series = page.split("\n").filter((line) => line.startsWith(name) && "{ ".includes(line[name.length]));
    const wanted = series.filter((line) => labels.every((label) => line.includes(label)));
    return wanted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  }
}

/** Waits until something holds. */
export async function eventually(what, probe) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await probe())) {
    if (performance.now() > end) throw new Error(`still not: ${what}`);
    await pause(10);
  }
}
