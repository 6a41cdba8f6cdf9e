import { readFile } from "node:fs/promises";
import type { PerformanceReport } from "../src/pages/performance/performance-report.ts";
import { capacityDoc } from "./generate/capacity-doc.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";

// Writes docs/capacity.md: the sums that follow from the figures of `npm run bench -- --capacity`.
const [capacity, full] = [await reportOf("capacity"), await reportOf("full")];
if (await writeIfChanged("docs/capacity.md", capacityDoc(capacity, full)))
  console.log("wrote docs/capacity.md");

async function reportOf(name: string): Promise<PerformanceReport> {
  return JSON.parse(await readFile(`docs/performance/${name}.json`, "utf8"));
}
