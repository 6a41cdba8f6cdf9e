import type { OwnMetric } from "./own-metrics.ts";

/** The rows of the dashboard, by the beginning of the metrics' names; the rest is last. */
const ROWS: readonly [title: string, prefixes: readonly string[]][] = [
  ["Feeds and imports", ["tdf_feed_", "tdf_import_", "tdf_source_", "tdf_unknown_"]],
  ["API", ["tdf_request_", "tdf_rows_", "tdf_connections_", "tdf_standby_", "tdf_clock_"]],
  ["Deliveries", ["tdf_webhook_"]],
  ["Mails and removals", ["tdf_mails_", "tdf_removals_"]],
  ["Database", ["tdf_backup_", "tdf_table_"]],
  ["Others", [""]],
];

const PANELS_IN_ROW = 3;
const WIDTH = 24 / PANELS_IN_ROW;
const HEIGHT = 8;

const DATASOURCE = { type: "prometheus", uid: "$datasource" };

/** The dashboard as Grafana imports it: a panel for each metric. */
export function dashboardText(metrics: readonly OwnMetric[]): string {
  const left = new Set(metrics);
  const panels: object[] = [];
  let y = 0;
  for (const [title, prefixes] of ROWS) {
    const ofRow = [...left].filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
    if (ofRow.length === 0) continue;
    panels.push({ type: "row", title, id: panels.length + 1, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] });
    y += 1;
    for (const [index, metric] of ofRow.entries()) {
      left.delete(metric);
      const x = (index % PANELS_IN_ROW) * WIDTH;
      const gridPos = { x, y: y + Math.floor(index / PANELS_IN_ROW) * HEIGHT, w: WIDTH, h: HEIGHT };
      panels.push({ id: panels.length + 1, gridPos, ...panelOf(metric) });
    }
    y += Math.ceil(ofRow.length / PANELS_IN_ROW) * HEIGHT;
  }
  return `${JSON.stringify(boardOf(panels), null, 2)}\n`;
}

const boardOf = (panels: readonly object[]) => ({
  title: "Trucking Data Feed",
  uid: "trucking-data-feed",
  tags: ["trucking-data-feed"],
  schemaVersion: 38,
  editable: true,
  time: { from: "now-24h", to: "now" },
  refresh: "1m",
  templating: {
    list: [{ name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" }],
  },
  panels,
});

function panelOf(metric: OwnMetric) {
  const [expr, unit] = queryOf(metric);
  return {
    type: "timeseries",
    title: metric.name,
    description: metric.help,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [{ refId: "A", datasource: DATASOURCE, expr, legendFormat: legendOf(metric) }],
  };
}

/** The labels of a panel's lines. A histogram by operation would have hundreds of lines with the status too. */
const labelsOf = ({ kind, labels }: OwnMetric): readonly string[] =>
  kind === "histogram" ? labels.slice(0, 1) : labels;

const legendOf = (metric: OwnMetric): string =>
  labelsOf(metric)
    .map((label) => `{{${label}}}`)
    .join(" ") || metric.name;

/** What a panel asks, and the unit of the answer. Gauges of the whole service are the same at every process. */
function queryOf(metric: OwnMetric): [expr: string, unit: string] {
  const { name, kind } = metric;
  const by = (more: readonly string[] = []): string => {
    const labels = [...labelsOf(metric), ...more];
    return labels.length === 0 ? "" : ` by (${labels.join(", ")})`;
  };
  if (kind === "counter") return [`sum${by()} (rate(${name}[$__rate_interval]))`, "ops"];
  if (kind === "histogram")
    return [`histogram_quantile(0.99, sum${by(["le"])} (rate(${name}_bucket[$__rate_interval])))`, "s"];
  if (name.endsWith("_timestamp_seconds")) return [`time() - max${by()} (${name})`, "s"];
  if (name.endsWith("_in_flight")) return [`sum${by()} (${name})`, "short"];
  return [`max${by()} (${name})`, UNITS.find(([end]) => name.endsWith(end))?.[1] ?? "short"];
}

const UNITS = [
  ["_seconds", "s"],
  ["_bytes", "bytes"],
  ["_days", "d"],
] as const;
