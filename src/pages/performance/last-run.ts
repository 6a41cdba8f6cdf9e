import { readFileSync } from "node:fs";
import type { PerformanceReport } from "./performance-report.ts";

/** The last run of that name in docs/performance; `npm run bench -- --json FILE` writes one. */
export const lastRun = (name: "full" | "tenth" | "peers" | "capacity"): PerformanceReport =>
  JSON.parse(readFileSync(new URL(`../../../docs/performance/${name}.json`, import.meta.url), "utf8"));
