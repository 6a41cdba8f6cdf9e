import { lastRun } from "../src/pages/performance/last-run.ts";
import { capacityDoc } from "./generate/capacity-doc.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";

// Writes docs/capacity.md: the sums that follow from the figures of `npm run bench -- --capacity`.
const text = capacityDoc(lastRun("capacity"), lastRun("full"));
if (await writeIfChanged("docs/capacity.md", text)) console.log("wrote docs/capacity.md");
