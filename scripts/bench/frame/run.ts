import { readFile } from "node:fs/promises";
import { configFrom, readEnvironment } from "../../../src/platform/config/config.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { type Bench, openBench } from "./bench.ts";
import { dropLeftovers } from "./databases.ts";
import { describeMachine } from "./machine.ts";
import type { Run } from "./report.ts";
import type { Sizes } from "./sizes.ts";

const PACKAGE = new URL("../../../package.json", import.meta.url);

/** Opens a run, lets `work` measure and cleans up after it, also when it is interrupted. `runSoFar` describes the run. */
export async function inRun<T>(
  sizes: Sizes,
  work: (bench: Bench, runSoFar: () => Run) => Promise<T>,
): Promise<T> {
  const { carriers, rounds, isSmoke } = sizes;
  const program = (JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string }).version;
  const startedAt = new Date().toISOString();
  const interruption = new AbortController();
  const bench = await openBench(configFrom(readEnvironment()), sizes, interruption.signal);
  const interrupt = () => {
    interruption.abort(new OperatorError("The run was interrupted."));
    void bench.ending.disposeAsync().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const machine = await describeMachine(bench);
    await dropLeftovers(bench);
    return await work(bench, () => ({
      program,
      startedAt,
      finishedAt: new Date().toISOString(),
      size: { carriers, rounds, isSmoke },
      machine,
    }));
  } finally {
    await bench.ending.disposeAsync();
  }
}
