import type { Run } from "../bench/frame/report.ts";

/** A number with thousands separated, to so many significant digits. */
export const shown = (value: number, digits = 3): string =>
  value.toLocaleString("en-US", { maximumSignificantDigits: digits });

/** A number with thousands separated and at most one decimal. */
export const counted = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });

/** A rate, rounded down to two digits; millions in words. */
export function floored(value: number): string {
  const step = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0);
  const down = Math.floor(value / step) * step;
  return down >= 1_000_000 ? `${shown(down / 1_000_000, 2)} million` : shown(down);
}

/** When and on what a run measured. Its load tells whether other work ran on the machine. */
export const runNote = ({ finishedAt, program, size, machine }: Run): string =>
  `Run of ${finishedAt.slice(0, 10)}, version ${program}, ${machine.cores} × ${machine.processor}, a load of ` +
  `${machine.loadAverage} at the start; medians of rounds: ${size.rounds}.`;
