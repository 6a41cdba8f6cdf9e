import { readFile } from "node:fs/promises";
import type { PerformanceReport } from "../../src/pages/performance/performance-report.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { openBench } from "./bench.ts";
import { measureCapacity } from "./capacity/capacity.ts";
import type { Work } from "./capacity/work.ts";
import { dropLeftovers } from "./databases.ts";
import { importedRegistry } from "./imported.ts";
import { describeMachine } from "./machine.ts";
import { type Measure, runMeasure } from "./measure.ts";
import { installPeers } from "./peers/packages.ts";
import { measurePeers } from "./peers/peers.ts";
import { filesIn, registryOf } from "./registry.ts";
import type { Sizes } from "./sizes.ts";

const PACKAGE = new URL("../../package.json", import.meta.url);

/** What a run measures. */
export interface Chosen {
  measures: readonly Measure[];
  /** Work whose processor time is measured; null: no table of it. */
  works: readonly Work[] | null;
  withPeers: boolean;
}

/** Runs measures one after the other and cleans up after them. */
export async function runMeasures(
  config: Config,
  sizes: Sizes,
  { measures, works, withPeers }: Chosen,
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
    // First, because it needs the network.
    if (withPeers) await installPeers(bench);
    const measured: PerformanceReport["measures"] = [];
    for (const [index, measure] of measures.entries()) {
      bench.say(`[${index + 1}/${measures.length}] ${measure.name}`);
      measured.push(await runMeasure(measure, bench));
      stopIfInterrupted();
    }
    const peers = withPeers ? await measurePeers(bench) : undefined;
    stopIfInterrupted();
    const capacity = works ? await measureCapacity(bench, works, stopIfInterrupted) : undefined;
    stopIfInterrupted();
    const { carriers, rounds, isSmoke } = sizes;
    return {
      program: (JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string }).version,
      startedAt,
      finishedAt: new Date().toISOString(),
      size: { carriers, rounds, isSmoke },
      machine,
      files: await importedFiles(),
      measures: measured,
      ...(capacity && { capacity }),
      ...(peers && { peers }),
    };

    function stopIfInterrupted(): void {
      if (isInterrupted) throw new OperatorError("The run was interrupted; nothing was written.");
    }

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
