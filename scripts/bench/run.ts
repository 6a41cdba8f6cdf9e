import { readFile } from "node:fs/promises";
import type { PerformanceReport } from "../../src/pages/performance/performance-report.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { openBench } from "./bench.ts";
import { dropLeftovers } from "./databases.ts";
import { importedRegistry } from "./imported.ts";
import { describeMachine } from "./machine.ts";
import { type Measure, runMeasure } from "./measure.ts";
import { filesIn, registryOf } from "./registry.ts";
import type { Sizes } from "./sizes.ts";

const PACKAGE = new URL("../../package.json", import.meta.url);

/** Runs measures one after the other and cleans up after them. */
export async function runMeasures(
  config: Config,
  sizes: Sizes,
  measures: readonly Measure[],
): Promise<PerformanceReport> {
  const startedAt = new Date().toISOString();
  const bench = await openBench(config, sizes);
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    void bench.ending.disposeAsync().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const machine = await describeMachine(bench);
    await dropLeftovers(bench);
    const measured: PerformanceReport["measures"] = [];
    for (const [index, measure] of measures.entries()) {
      bench.say(`[${index + 1}/${measures.length}] ${measure.name}`);
      measured.push(await runMeasure(measure, bench));
      if (isInterrupted) throw new OperatorError("The run was interrupted; nothing was written.");
    }
    const { carriers, rounds, isSmoke } = sizes;
    return {
      program: (JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string }).version,
      startedAt,
      finishedAt: new Date().toISOString(),
      size: { carriers, rounds, isSmoke },
      machine,
      files: await importedFiles(),
      measures: measured,
    };

    async function importedFiles(): Promise<PerformanceReport["files"]> {
      const { report } = await importedRegistry(bench);
      const { first } = await registryOf(bench, carriers);
      const rowsOf = new Map(report.files.map(({ file, rowsRead }) => [file, rowsRead]));
      return (await filesIn(first)).map(({ name, sizeBytes }) => ({
        name,
        rows: rowsOf.get(name) ?? 0,
        sizeBytes,
      }));
    }
  } finally {
    await bench.ending.disposeAsync();
  }
}
