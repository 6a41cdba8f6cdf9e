import type { Cost } from "../../../src/pages/performance/performance-report.ts";
import type { Bench } from "../bench.ts";

/** A kind of work whose processor time is measured. */
export interface Work extends Pick<Cost, "name" | "what" | "unit" | "process"> {
  /** Prepares the work; the returned function does it once per round. */
  open(bench: Bench): Promise<(meter: Meter) => Promise<Metered>>;
}

/** Measures what the processes use while `run` does some units of work. */
export type Meter = (
  /** Time used so far by the program's process: its id, or a function that reads it. */
  program: number | (() => Promise<number>),
  run: () => Promise<{ units: number; sentBytes?: number }>,
) => Promise<Metered>;

/** The result of one round. */
export interface Metered {
  units: number;
  seconds: number;
  programMs: number;
  /** Null when PostgreSQL runs on another machine. */
  postgresMs: number | null;
  /** What PostgreSQL wrote to its log, which standbys receive. */
  walBytes: number;
  /** Bodies of the answers. */
  sentBytes: number | null;
}
