import type { PerformanceReport } from "./performance-report.ts";

/** When and on what a run measured. Its load tells whether other work ran on the machine. */
export const runNote = ({ finishedAt, program, size, machine }: PerformanceReport): string =>
  `Run of ${finishedAt.slice(0, 10)}, version ${program}, ${machine.cores} × ${machine.processor}, a load of ` +
  `${machine.loadAverage} at the start; medians of rounds: ${size.rounds}.`;
