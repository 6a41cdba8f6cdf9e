import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Caller } from "../keys/caller.ts";
import { flushUsage } from "./usage-counter.ts";

/** The account's usage in the current month (UTC), and its plan's limits. */
export interface Usage {
  month_start: string;
  usage: { api_requests: number; api_rows: number; export_rows: number; quota_rows: number };
  limits: { api_rows_month: number; api_rpm: number; api_rows_left: number; concurrent_exports: number };
}

/** Rows are exact; requests to other processes may be missing for up to a second. */
export async function readUsage(context: Context, caller: Caller): Promise<Usage> {
  await flushUsage(context);
  const monthStart = monthStartOf(context.clock.now());
  const used = await context.db.prisma.usageMonth.findUnique({
    where: { accountId_month: { accountId: caller.accountId, month: new Date(monthStart) } },
  });
  const quotaRows = Number(used?.quotaRows ?? 0);
  return {
    month_start: monthStart,
    usage: {
      api_requests: Number(used?.apiRequests ?? 0),
      api_rows: Number(used?.apiRows ?? 0),
      export_rows: Number(used?.exportRows ?? 0),
      quota_rows: quotaRows,
    },
    limits: {
      api_rows_month: caller.rowsPerMonth,
      api_rpm: caller.requestsPerMinute,
      api_rows_left: Math.max(0, caller.rowsPerMonth - quotaRows),
      concurrent_exports: caller.concurrentExports,
    },
  };
}
