import type { QuotaDay } from "../../../../accounts/usage/quota-days.ts";
import type { Forecast, Usage } from "../../../../accounts/usage/usage.ts";
import { addDays, monthAfter } from "../../../../platform/clock.ts";
import { shownCount } from "../../../../platform/plural.ts";
import { openName } from "../../../kit/axes.ts";
import { type Html, html } from "../../../kit/html.ts";
import { lineChart } from "../../../kit/line-chart.ts";
import { table } from "../../../kit/table.ts";

/** What is shown of the current month. */
export type Month = Usage & { forecast: Forecast | null; quotaDays: readonly QuotaDay[] };

/** The rows used in the month so far, day by day, with the limit and where the forecast leads, and the table of them. */
export function quotaChart({ month_start, usage, limits, forecast, quotaDays }: Month): Html {
  const points = quotaDays.map(({ day, used }) => ({ name: day, value: used }));
  const today = points.at(-1);
  const expected = forecast && { name: forecast.until, value: forecast.rows };
  const title = "Rows used this month, added up";
  return lineChart({
    title,
    names: daysOfMonth(month_start),
    lines: [
      { name: "used", tone: "accent", points },
      ...(expected
        ? [
            {
              name: "forecast",
              tone: "soft" as const,
              isDashed: true,
              from: today,
              points: [expected],
            },
          ]
        : []),
    ],
    open: today?.name,
    limit: { name: "limit", value: limits.api_rows_month },
    caption: `${title}: ${shownCount(usage.quota_rows)} until now of ${shownCount(limits.api_rows_month)}${
      expected ? `, at this pace ${shownCount(expected.value)} on ${expected.name}` : ""
    }`,
    after: html`<details>
<summary>${title} as a table</summary>
${quotaTable(title, { quotaDays, forecast, limit: limits.api_rows_month })}</details>
`,
  });
}

interface Row {
  name: string;
  /** The rows of the day alone; null in the forecast. */
  rows: number | null;
  used: number;
}

function quotaTable(
  label: string,
  { quotaDays, forecast, limit }: Pick<Month, "quotaDays" | "forecast"> & { limit: number },
): Html {
  const rows: Row[] = quotaDays.map(({ day, used }, index) => ({
    name: index === quotaDays.length - 1 ? openName(day) : day,
    rows: used - (quotaDays[index - 1]?.used ?? 0),
    used,
  }));
  if (forecast) rows.push({ name: `${forecast.until}, forecast`, rows: null, used: forecast.rows });
  return table({
    label,
    isDense: true,
    rows: rows.toReversed(),
    columns: [
      { head: "Day", cell: ({ name }) => name },
      { head: "Rows of the day", cell: (row) => row.rows, isNumber: true },
      { head: "Used in the month", cell: ({ used }) => used, isNumber: true },
      { head: "Left", cell: ({ used }) => Math.max(0, limit - used), isNumber: true },
    ],
  });
}

function daysOfMonth(monthStart: string): string[] {
  const days: string[] = [];
  for (let day = monthStart; day < monthAfter(monthStart); day = addDays(day, 1)) days.push(day);
  return days;
}
