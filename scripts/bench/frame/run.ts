import { readFile } from "node:fs/promises";
import { stopAsked } from "../../../src/cli/service/stop-signal.ts";
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
  // The stack says at once that it is disposed. So both who end it wait for the same end, and PostgreSQL's is the last.
  let ended: Promise<void> | undefined;
  const end = (bench: Bench): Promise<void> => {
    ended ??= bench.ending.disposeAsync();
    return ended;
  };
  const opening = openBench(configFrom(readEnvironment()), sizes, interruption.signal);
  const interrupt = () => {
    interruption.abort(new OperatorError("The run was interrupted."));
    void opening.then(end).finally(() => process.exit(130));
  };
  void stopAsked().then(interrupt);
  const bench = await opening;
  try {
    interruption.signal.throwIfAborted();
    const machine = await describeMachine(bench);
    await dropLeftovers(bench);
    return await work(bench, () => ({
      program,
      startedAt,
      finishedAt: new Date().toISOString(),
      size: { carriers, rounds, isSmoke },
      machine,
    }));
  } catch (error) {
    // What fails because the run ends is no finding.
    interruption.signal.throwIfAborted();
    throw error;
  } finally {
    await end(bench);
  }
}
