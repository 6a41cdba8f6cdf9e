import { Gauge } from "prom-client";
import type { Context } from "../platform/context.ts";
import { type NewestRun, newestRuns, refusedSincePublished } from "./runs.ts";

/** Adds the end and the duration of the newest import of each outcome, and what refused the newest one. A scrape reads them. */
export function watchImports(context: Pick<Context, "clock" | "db" | "metrics">): void {
  const addGauge = (
    name: string,
    {
      help,
      label,
      values,
    }: { help: string; label: string; values: (runs: readonly NewestRun[]) => [string, number][] },
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [context.metrics.registry],
      async collect() {
        this.reset();
        // The other metrics are needed even more while the database is not reachable.
        const runs = await newestRuns(context).catch(() => []);
        for (const [labelled, value] of values(runs)) this.set({ [label]: labelled }, value);
      },
    });
  const ended = (runs: readonly NewestRun[], toSeconds: (run: NewestRun, endMs: number) => number) =>
    runs.flatMap((run): [string, number][] =>
      run.finishedAt === null ? [] : [[run.status, toSeconds(run, run.finishedAt.getTime())]],
    );
  addGauge("tdf_import_last_finished_timestamp_seconds", {
    help: "When the newest import of each outcome ended, in seconds since 1970: published, refused, failed.",
    label: "outcome",
    values: (runs) => ended(runs, (_run, endMs) => endMs / 1000),
  });
  addGauge("tdf_import_last_seconds", {
    help: "How many seconds the newest import of each outcome took.",
    label: "outcome",
    values: (runs) => ended(runs, ({ startedAt }, endMs) => (endMs - startedAt.getTime()) / 1000),
  });
  addGauge("tdf_import_refused", {
    help: "1 for each check that refused the newest refused import, broken-file for a file that can't be read; none once one is published.",
    label: "check",
    values: (runs) =>
      [refusedSincePublished(runs) ?? []]
        .flat()
        .flatMap(refusedBy)
        .map((check) => [check, 1]),
  });
}

/** The checks that refused an import; broken-file when it is none that can be accepted. */
const refusedBy = (run: NewestRun): readonly string[] =>
  run.refusedChecks.length > 0 ? run.refusedChecks : ["broken-file"];
