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
import { MEASURES } from "./measures.ts";
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
  /** What a run that ended early measured, which is not measured again; null: nothing. */
  begun: PerformanceReport | null;
  /** Gets the report so far after each measure: a run takes up to two hours, and disks get full. */
  onMeasured(report: PerformanceReport): Promise<void>;
}

/** Runs measures one after the other and cleans up after them. */
export async function runMeasures(
  config: Config,
  sizes: Sizes,
  { measures, works, withPeers, begun, onMeasured }: Chosen,
): Promise<PerformanceReport> {
  const { carriers, rounds, isSmoke } = sizes;
  const size = { carriers, rounds, isSmoke };
  const program = (JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string }).version;
  const startedAt = begun?.startedAt ?? new Date().toISOString();
  const bench = await openBench(config, sizes);
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    void bench.ending.disposeAsync().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const machine = await describeMachine(bench);
    if (begun) requireSameRun(begun, { program, size, machine });
    await dropLeftovers(bench);
    // First, because it needs the network.
    if (withPeers) await installPeers(bench);
    // A map, so that what is not measured yet stays in a file that is written meanwhile.
    const measured = new Map(
      begun?.measures.filter(({ verdict }) => verdict !== "not measured").map((each) => [each.name, each]),
    );
    const missing = measures.filter(({ name }) => !measured.has(name));
    const reportSoFar = (): PerformanceReport => ({
      files: [],
      ...begun,
      program,
      startedAt,
      finishedAt: new Date().toISOString(),
      size,
      machine,
      measures: MEASURES.flatMap(({ name }) => measured.get(name) ?? []),
    });
    for (const [index, measure] of missing.entries()) {
      bench.say(`[${index + 1}/${missing.length}] ${measure.name}`);
      measured.set(measure.name, await runMeasure(measure, bench));
      stopIfInterrupted();
      await onMeasured(reportSoFar());
    }
    const peers = withPeers ? await measurePeers(bench) : undefined;
    stopIfInterrupted();
    const capacity = works ? await measureCapacity(bench, works, stopIfInterrupted) : undefined;
    stopIfInterrupted();
    return {
      ...reportSoFar(),
      files: await importedFiles(),
      ...(capacity && { capacity }),
      ...(peers && { peers }),
    };

    function stopIfInterrupted(): void {
      if (isInterrupted) throw new OperatorError("The run was interrupted.");
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

/** Figures of another program, size or machine do not belong into one report. */
function requireSameRun(
  begun: PerformanceReport,
  { program, size, machine }: Pick<PerformanceReport, "program" | "size" | "machine">,
): void {
  const about = ({ processor, cores }: PerformanceReport["machine"]) => `${cores} × ${processor}`;
  const differences = [
    [begun.program, program],
    [JSON.stringify(begun.size), JSON.stringify(size)],
    [about(begun.machine), about(machine)],
  ].filter(([one, other]) => one !== other);
  if (differences.length === 0) return;
  const said = differences.map(([one, other]) => `${one} instead of ${other}`).join(", ");
  throw new OperatorError(`The file to complete is of another run: ${said}. Measure all without --complete.`);
}
