// `npm run generate:figures` writes the pages that show the last runs: docs/performance/figures.md and docs/capacity.md.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { capacityDoc } from "./figures/capacity-doc.ts";
import { type LastRuns, performanceDoc } from "./figures/performance-doc.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";

const docs = path.join(import.meta.dirname, "../docs");

const lastRun = async <Name extends keyof LastRuns>(name: Name): Promise<LastRuns[Name]> =>
  JSON.parse(await readFile(path.join(docs, `performance/${name}.json`), "utf8"));

const runs: LastRuns = {
  full: await lastRun("full"),
  tenth: await lastRun("tenth"),
  peers: await lastRun("peers"),
  capacity: await lastRun("capacity"),
};
for (const [file, text] of [
  ["performance/figures.md", performanceDoc(runs)],
  ["capacity.md", capacityDoc(runs.capacity, runs.full)],
] as const) {
  if (await writeIfChanged(path.join(docs, file), text)) process.stdout.write(`wrote docs/${file}\n`);
}
