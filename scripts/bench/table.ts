import { table } from "../../src/cli/print.ts";
import type {
  Comparison,
  Cost,
  Measured,
  PerformanceReport,
} from "../../src/pages/performance/performance-report.ts";

/** The report as lines for a terminal. */
export function reportLines(report: PerformanceReport): string[] {
  const { machine, size } = report;
  const { database } = machine;
  return [
    `${size.carriers.toLocaleString("en-US")} carriers, ${size.rounds} rounds, ${report.startedAt} to ${report.finishedAt}`,
    `${machine.cores} × ${machine.processor}, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}`,
    `${database.isEmbedded ? "embedded" : "named"} PostgreSQL ${database.version}, load ${machine.loadAverage} at the start`,
    `limits by ${machine.psql ?? "the pg driver (no psql)"}, ${machine.pgbench ?? "the pg driver (no pgbench)"}`,
    ...(report.measures.length > 0
      ? ["", ...table(["measure", "value", "target", "verdict", "what"], report.measures.map(cells))]
      : []),
    ...(report.peers ? ["", ...peerLines(report.peers)] : []),
    ...(report.capacity ? ["", ...capacityLines(report.capacity)] : []),
  ];
}

const peerLines = (peers: readonly Comparison[]): string[] =>
  table(
    ["work", "unit", ...(peers[0]?.results.map(({ program }) => program) ?? []), "what"],
    peers.map(({ name, unit, results, what }) => [
      name,
      unit,
      ...results.map(({ result }) => result?.median ?? "–"),
      what,
    ]),
  );

const capacityLines = (costs: readonly Cost[]): string[] =>
  table(
    ["work", "per", "process", "its µs", "PostgreSQL µs", "WAL bytes", "bytes sent", "a second", "what"],
    costs.map(({ name, unit, process, measured, what }) => [
      name,
      unit,
      process,
      ...(["program", "postgres", "wal", "sent", "perSecond"] as const).map(
        (key) => measured?.[key]?.median ?? "–",
      ),
      what,
    ]),
  );

const cells = (measured: Measured): string[] => [
  measured.name,
  measured.value === null ? "–" : `${measured.value} ${measured.unit}`,
  "atMost" in measured.target
    ? `≤ ${measured.target.atMost} ${measured.unit}`
    : `≥ ${measured.target.atLeast} ${measured.unit}`,
  measured.verdict,
  measured.against === null ? measured.what : `${measured.what}; against ${measured.against}`,
];
