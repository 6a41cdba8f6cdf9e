// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ChargeParams {
  accountId: number;
  month: string;
  apiRows: number;
  exportRows: number;
  limit: number;
}

export interface ChargeRow {
  quota_rows: number;
}

export const charge = statement<ChargeParams, ChargeRow>(
  import.meta.url,
  "charge.sql",
  ["accountId", "month", "apiRows", "exportRows", "limit"],
);

export interface CountPreviewParams {
  accountId: number;
  day: string;
}

export interface CountPreviewRow {
  used: number;
}

export const countPreview = statement<CountPreviewParams, CountPreviewRow>(
  import.meta.url,
  "count-preview.sql",
  ["accountId", "day"],
);

export interface QuotaUsedParams {
  accountId: number;
  month: string;
}

export interface QuotaUsedRow {
  used: number;
}

export const quotaUsed = statement<QuotaUsedParams, QuotaUsedRow>(
  import.meta.url,
  "quota-used.sql",
  ["accountId", "month"],
);

export interface QuotaWarningsParams {
  accountIds: readonly number[];
  month: string;
  percent: number;
}

export interface QuotaWarningsRow {
  accountId: number;
  email: string;
  name: string;
  used: number;
  limit: number;
}

export const quotaWarnings = statement<QuotaWarningsParams, QuotaWarningsRow>(
  import.meta.url,
  "quota-warnings.sql",
  ["accountIds", "month", "percent"],
);

export interface RefundExportParams {
  accountId: number;
  month: string;
  rows: number;
}

export const refundExport = statement<RefundExportParams, object>(
  import.meta.url,
  "refund-export.sql",
  ["accountId", "month", "rows"],
);

export interface UsageByDayParams {
  accountId: number;
  today: string;
  days: number;
  dashboardName: string;
}

export interface UsageByDayRow {
  day: string;
  keyId: string;
  keyName: string;
  requests: number;
  errors: number;
  refused: number;
  apiRows: number;
  exportRows: number;
}

export const usageByDay = statement<UsageByDayParams, UsageByDayRow>(
  import.meta.url,
  "usage-by-day.sql",
  ["accountId", "today", "days", "dashboardName"],
);

export interface UsageByMonthParams {
  accountId: number;
  month: string;
}

export interface UsageByMonthRow {
  month: string;
  requests: number;
  apiRows: number;
  exportRows: number;
  quotaRows: number;
}

export const usageByMonth = statement<UsageByMonthParams, UsageByMonthRow>(
  import.meta.url,
  "usage-by-month.sql",
  ["accountId", "month"],
);

export interface UsageCountsParams {
  accountIds: readonly number[];
  days: readonly string[];
  keyIds: readonly string[];
  requests: readonly number[];
  errors: readonly number[];
  refused: readonly number[];
  apiRows: readonly number[];
  exportRows: readonly number[];
}

export const usageCounts = statement<UsageCountsParams, object>(
  import.meta.url,
  "usage-counts.sql",
  ["accountIds", "days", "keyIds", "requests", "errors", "refused", "apiRows", "exportRows"],
);
