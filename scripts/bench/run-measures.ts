import { OperatorError } from "../../src/platform/operator-error.ts";
import type { Bench } from "./frame/bench.ts";
import { type Measure, runMeasure } from "./frame/measure.ts";
import type { BenchReport, Machine, Run } from "./frame/report.ts";
import { inRun } from "./frame/run.ts";
import type { Sizes } from "./frame/sizes.ts";
import { MEASURES } from "./measures.ts";
import { importedRegistry } from "./setup/imported.ts";
import { filesIn, registryOf } from "./setup/registry.ts";

/** What a run measures. */
interface Chosen {
  measures: readonly Measure[];
  /** What a run that ended early measured, which is not measured again; null: nothing. */
  begun: BenchReport | null;
  /** Gets the report so far after each measure: a run takes up to two hours, and disks get full. */
  onMeasured(report: BenchReport): Promise<void>;
}

/** Runs measures one after the other. */
export const runMeasures = (sizes: Sizes, { measures, begun, onMeasured }: Chosen): Promise<BenchReport> =>
  inRun(sizes, async (bench, runSoFar) => {
    if (begun) requireSameRun(begun, runSoFar());
    // A map, so that what is not measured yet stays in a file that is written meanwhile.
    const measured = new Map(
      begun?.measures.filter(({ verdict }) => verdict !== "not measured").map((each) => [each.name, each]),
    );
    const missing = measures.filter(({ name }) => !measured.has(name));
    const reportSoFar = (): BenchReport => ({
      ...runSoFar(),
      ...(begun && { startedAt: begun.startedAt }),
      files: begun?.files ?? [],
      measures: MEASURES.flatMap(({ name }) => measured.get(name) ?? []),
    });
    for (const [index, measure] of missing.entries()) {
      bench.say(`[${index + 1}/${missing.length}] ${measure.name}`);
      measured.set(measure.name, await runMeasure(measure, bench));
      bench.interruption.throwIfAborted();
      await onMeasured(reportSoFar());
    }
    return { ...reportSoFar(), files: await importedFiles(bench) };
  });

async function importedFiles(bench: Bench): Promise<BenchReport["files"]> {
  const { report } = await importedRegistry(bench);
  const { first } = await registryOf(bench, bench.sizes.carriers);
  const rowsOf = new Map(report.files.map(({ file, rowsRead }) => [file, rowsRead]));
  const files = await filesIn(first);
  return files.map(({ name, sizeBytes }) => ({ name, rows: rowsOf.get(name) ?? 0, sizeBytes }));
}

/** Figures of another program, size or machine do not belong into one report. */
function requireSameRun(begun: Run, now: Run): void {
  const about = ({ processor, cores }: Machine) => `${cores} × ${processor}`;
  const differences = [
    [begun.program, now.program],
    [JSON.stringify(begun.size), JSON.stringify(now.size)],
    [about(begun.machine), about(now.machine)],
  ].filter(([one, other]) => one !== other);
  if (differences.length === 0) return;
  const said = differences.map(([one, other]) => `${one} instead of ${other}`).join(", ");
  throw new OperatorError(`The file to complete is of another run: ${said}. Measure all without --complete.`);
}
