import { table } from "../../src/cli/terminal/print.ts";
import { type BenchReport, type Measured, runLines } from "./frame/report.ts";

/** The report as lines for a terminal. */
export const reportLines = (report: BenchReport): string[] => [
  ...runLines(report),
  ...table(["measure", "value", "target", "verdict", "what"], report.measures.map(cells)),
];

const cells = (measured: Measured): string[] => [
  measured.name,
  measured.value === null ? "–" : `${measured.value} ${measured.unit}`,
  "atMost" in measured.target
    ? `≤ ${measured.target.atMost} ${measured.unit}`
    : `≥ ${measured.target.atLeast} ${measured.unit}`,
  measured.verdict,
  measured.against === null ? measured.what : `${measured.what}; against ${measured.against}`,
];
