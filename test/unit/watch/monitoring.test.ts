// What deploy/monitoring gives to Prometheus and Grafana.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { dashboardText } from "../../../scripts/dashboard/dashboard.ts";
import { type OwnMetric, ownMetrics } from "../../../scripts/dashboard/own-metrics.ts";
import {
  BACKUP_DUE_HOURS,
  DELIVERY_DUE_SECONDS,
  IMPORT_DUE_HOURS,
  MAIL_DUE_MINUTES,
  MOST_PAUSED_ENDPOINTS,
} from "../../../src/watch/findings.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const metrics = ownMetrics();
const { groups } = parse(read("deploy/monitoring/rules.yaml")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("deploy/monitoring/dashboard.json")) as {
  panels: { targets?: { expr: string }[] }[];
};

/** The names that a query may use for a metric. */
const seriesOf = ({ name, kind }: OwnMetric): string[] =>
  kind === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name];

const unknownIn = (query: string): string[] => {
  const known = new Set(metrics.flatMap(seriesOf));
  return (query.match(/\btdf_\w+/g) ?? []).filter((name) => !known.has(name));
};

it("every query of the rules and of the dashboard names metrics that exist", () => {
  const queries = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  expect(queries.length).toBeGreaterThan(metrics.length);
  expect(queries.flatMap(unknownIn)).toEqual([]);
  expect(unknownIn("max(tdf_feed_served) > tdf_no_such_metric")).toEqual(["tdf_no_such_metric"]);
});

it("the dashboard is what `npm run generate:dashboard` writes from the metrics", () => {
  expect(read("deploy/monitoring/dashboard.json")).toBe(dashboardText(metrics));
});

it.each([
  ["ImportLate", `> ${IMPORT_DUE_HOURS} * 3600`],
  ["BackupLate", `> ${BACKUP_DUE_HOURS} * 3600`],
  ["MailsWait", `> ${MAIL_DUE_MINUTES} * 60`],
  ["DeliveriesWait", `> ${DELIVERY_DUE_SECONDS}`],
  ["EndpointsPaused", `> ${MOST_PAUSED_ENDPOINTS}`],
])("%s fires when `tdf status` tells it", (alert, end) => {
  expect(rules.find((rule) => rule.alert === alert)?.expr).toMatch(
    new RegExp(`${end.replaceAll("*", "\\*")}$`),
  );
});

function hasPromtool(): boolean {
  try {
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasPromtool())("promtool", () => {
  const promtool = async (...words: string[]) =>
    (await promisify(execFile)("promtool", words, { cwd: path.join(ROOT, "deploy/monitoring") })).stdout;

  it("finds no fault in the rules", async () => {
    expect(await promtool("check", "rules", "rules.yaml")).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  it("sees each rule fire in its case, and be silent after it", async () => {
    expect(await promtool("test", "rules", "rules.test.yaml")).toContain("SUCCESS");
  });
});
