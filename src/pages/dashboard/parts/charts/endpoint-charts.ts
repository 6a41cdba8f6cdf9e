import { countOf, shownCount } from "../../../../platform/plural.ts";
import { type DeliveryDay, MOST_COUNTED } from "../../../../webhooks/deliveries/delivery-days.ts";
import { openName } from "../../../kit/axes.ts";
import { barChart } from "../../../kit/chart.ts";
import { type Html, html } from "../../../kit/html.ts";
import { lineChart } from "../../../kit/line-chart.ts";
import { table } from "../../../kit/table.ts";

const TIME = "Time to answer";
const shownMs = (value: number): string => `${shownCount(value)} ms`;

/** An endpoint's deliveries by day, and how long its receiver took to answer. Nothing without days. */
export function endpointCharts(days: readonly DeliveryDay[]): Html | false {
  if (days.length === 0) return false;
  const times = timeChart(days);
  return html`<h2>Last ${countOf(days.length, "day")}</h2>
<p class="hint">By the day on which a delivery was queued (UTC), without tests. Of more than ${shownCount(MOST_COUNTED)} deliveries, the newest are counted.</p>
<div class="${times && "pair"}">
${barChart({
  title: "Deliveries by day",
  none: "No delivery was delivered or failed.",
  nameOfBars: "Day",
  isHalf: times !== false,
  series: [
    { name: "delivered", tone: "good" },
    { name: "failed", tone: "bad" },
  ],
  bars: days.map(({ day, delivered, failed }, index) => ({
    name: day,
    values: [delivered, failed],
    isOpen: index === days.length - 1,
  })),
})}
${times}</div>`;
}

function timeChart(days: readonly DeliveryDay[]): Html | false {
  const pointsOf = (name: "medianMs" | "p95Ms") =>
    days.flatMap(({ day, [name]: value }) => (value === null ? [] : [{ name: day, value }]));
  const medians = pointsOf("medianMs");
  const newest = medians.at(-1);
  if (newest === undefined) return false;
  return lineChart({
    title: `${TIME} in milliseconds`,
    names: days.map(({ day }) => day),
    isHalf: true,
    open: days.at(-1)?.day,
    lines: [
      { name: "median", tone: "accent", points: medians },
      { name: "95th percentile", tone: "warn", points: pointsOf("p95Ms") },
    ],
    caption: `${TIME}: median ${shownMs(newest.value)} on ${newest.name}`,
    shown: shownMs,
    after: html`<details>
<summary>${TIME} as a table</summary>
${table({
  label: TIME,
  caption: "Of every answer, also to later attempts. An attempt without an answer has no time.",
  rows: days,
  columns: [
    { head: "Day", cell: (each) => (each === days.at(-1) ? openName(each.day) : each.day) },
    { head: "Median", cell: ({ medianMs }) => medianMs !== null && shownMs(medianMs), isNumber: true },
    { head: "95th percentile", cell: ({ p95Ms }) => p95Ms !== null && shownMs(p95Ms), isNumber: true },
  ],
})}</details>
`,
  });
}
