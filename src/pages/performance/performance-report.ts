/** What one run of the benchmarks found; `npm run bench -- --json FILE` writes it, /docs/performance shows it. */
export interface PerformanceReport {
  /** Version of the program that was measured. */
  program: string;
  startedAt: string;
  finishedAt: string;
  size: { carriers: number; rounds: number; isSmoke: boolean };
  machine: Machine;
  /** Of the registry files that were imported. */
  files: { name: string; rows: number; sizeBytes: number }[];
  measures: Measured[];
  /** With --capacity. */
  capacity?: Cost[];
  /** With --peers. */
  peers?: Comparison[];
}

export interface Machine {
  processor: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  /** Processes waiting or running over the last minute, when the run began. */
  loadAverage: number;
  /** The server: its version, whether it is the embedded one, and the settings that count. */
  database: { version: string; isEmbedded: boolean; settings: Record<string, string> };
  /** What the limits were measured with; null: a bare loop on the pg driver in its place. */
  psql: string | null;
  pgbench: string | null;
}

export interface Measured {
  name: string;
  what: string;
  /** What it is held against; null: nothing, the value stands for itself. */
  against: string | null;
  target: { atMost: number } | { atLeast: number };
  /** Null: it could not be measured. */
  value: number | null;
  unit: "×" | "µs" | "ms" | "s" | "MB";
  verdict: "met" | "missed" | "not judged" | "not measured";
  /** What the value comes from: medians, rows, rounds, what stood in for what. */
  details: Record<string, unknown>;
}

/** A median with the values of its rounds. */
export interface Spread {
  median: number;
  unit: string;
  rounds: number[];
}

/** What a kind of work costs, for each unit of it. */
export interface Cost {
  name: string;
  what: string;
  unit: "request" | "row" | "delivery" | "statement" | "second";
  /** The command whose process does the work beside PostgreSQL; "bench" is the benchmark itself. */
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
    /** Units a second while it was measured, with everything on one machine. */
    perSecond: Spread;
  } | null;
}

/** The same work done by this service and by other programs, with the same load. */
export interface Comparison {
  name: string;
  what: string;
  /** Of a rate more is better, of a time less. */
  unit: "answers/s" | "s";
  /** This service first. */
  results: { program: string; result: Spread | null; error?: string }[];
}
