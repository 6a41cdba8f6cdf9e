import { readFile } from "node:fs/promises";
import type { PerformanceReport } from "../src/pages/performance/performance-report.ts";
import { capacityDoc } from "./generate/capacity-doc.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";

// Writes docs/capacity.md: the sums that follow from the figures of `npm run bench -- --capacity`.
const report = JSON.parse(await readFile("docs/performance/capacity.json", "utf8")) as PerformanceReport;
if (await writeIfChanged("docs/capacity.md", capacityDoc(report))) console.log("wrote docs/capacity.md");
