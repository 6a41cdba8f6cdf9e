import { table } from "../../src/cli/print.ts";
import type { Measured, PerformanceReport } from "../../src/pages/performance/performance-report.ts";

/** The report as lines for a terminal. */
export function reportLines(report: PerformanceReport): string[] {
  const { machine, size } = report;
  const { database } = machine;
  return [
    `${size.carriers.toLocaleString("en-US")} carriers, ${size.rounds} rounds, ${report.startedAt} to ${report.finishedAt}`,
    `${machine.cores} × ${machine.processor}, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}`,
    `${database.isEmbedded ? "embedded" : "named"} PostgreSQL ${database.version}, load ${machine.loadAverage} at the start`,
    `limits by ${machine.psql ?? "the pg driver (no psql)"}, ${machine.pgbench ?? "the pg driver (no pgbench)"}`,
    "",
    ...table(["measure", "value", "target", "verdict", "what"], report.measures.map(cells)),
  ];
}

const cells = (measured: Measured): string[] => [
  measured.name,
  measured.value === null ? "–" : `${measured.value} ${measured.unit}`,
  "atMost" in measured.target
    ? `≤ ${measured.target.atMost} ${measured.unit}`
    : `≥ ${measured.target.atLeast} ${measured.unit}`,
  measured.verdict,
  measured.against === null ? measured.what : `${measured.what}; against ${measured.against}`,
];
