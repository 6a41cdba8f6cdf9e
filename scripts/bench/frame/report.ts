/** How a run was made. Its report, which `--json` writes, has this and what was found. */
export interface Run {
  /** Version of the program that was measured. */
  program: string;
  startedAt: string;
  finishedAt: string;
  size: { carriers: number; rounds: number; isSmoke: boolean };
  machine: Machine;
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

/** The report of `npm run bench`. */
export interface BenchReport extends Run {
  /** Of the registry files that were imported. */
  files: { name: string; rows: number; sizeBytes: number }[];
  measures: Measured[];
}

export interface Measured {
  name: string;
  what: string;
  /** What it is held against; null: nothing, the value stands for itself. */
  against: string | null;
  target: { atMost: number } | { atLeast: number };
  /** Null: it could not be measured. */
  value: number | null;
  unit: "×" | "bytes" | "µs" | "ms" | "s" | "MB";
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

/** A run as lines for a terminal. */
export function runLines({ size, machine, startedAt, finishedAt }: Run): string[] {
  const { database } = machine;
  return [
    `${size.carriers.toLocaleString("en-US")} carriers, ${size.rounds} rounds, ${startedAt} to ${finishedAt}`,
    `${machine.cores} × ${machine.processor}, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}`,
    `${database.isEmbedded ? "embedded" : "named"} PostgreSQL ${database.version}, load ${machine.loadAverage} at the start`,
    `limits by ${machine.psql ?? "the pg driver (no psql)"}, ${machine.pgbench ?? "the pg driver (no pgbench)"}`,
    "",
  ];
}
