// `npm run generate:dashboard` writes deploy/monitoring/dashboard.json, a dashboard for Grafana, from the program's metrics.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { dashboardText } from "./dashboard/dashboard.ts";
import { ownMetrics } from "./dashboard/own-metrics.ts";

const file = path.join(import.meta.dirname, "../deploy/monitoring/dashboard.json");
await writeFile(file, dashboardText(ownMetrics()));
