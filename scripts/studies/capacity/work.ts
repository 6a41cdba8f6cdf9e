import type { Bench } from "../../bench/frame/bench.ts";
import type { Run, Spread } from "../../bench/frame/report.ts";

/** The report of `npm run study -- capacity`. */
export interface CapacityReport extends Run {
  capacity: Cost[];
}

/** What a kind of work costs, for each unit of it. */
export interface Cost {
  name: string;
  what: string;
  unit: "request" | "row" | "delivery" | "statement" | "second";
  /** The command whose process does the work beside PostgreSQL; "bench" is the study itself. */
  process: "serve" | "dispatch" | "import" | "bench";
  /** Null: it could not be measured. */
  measured: {
    /** Processor time of that process, in µs. */
    program: Spread;
    /** Processor time of all of PostgreSQL's processes, in µs; null when it runs on another machine. */
    postgres: Spread | null;
    /** Bytes of PostgreSQL's write-ahead log. */
    wal: Spread;
    /** Bytes of the answers; null for work that answers nobody. */
    sent: Spread | null;
    /** Bytes that PostgreSQL sends to the program; null where they are not counted. Runs before they were have none. */
    database?: Spread | null;
    /** Units a second while it was measured, with everything on one machine. */
    perSecond: Spread;
  } | null;
}

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
  /** What PostgreSQL sends for it. */
  databaseBytes?: number;
}
