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
  unit: "×" | "ms" | "s" | "MB";
  verdict: "met" | "missed" | "not judged" | "not measured";
  /** What the value comes from: medians, rows, rounds, what stood in for what. */
  details: Record<string, unknown>;
}
