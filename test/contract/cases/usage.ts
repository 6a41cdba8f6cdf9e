import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE } from "./targets.ts";

const operation = "readUsage";
const path = "/v1/usage";

interface Usage {
  usage: { quota_rows: number };
  limits: { api_rows_month: number; api_rows_left: number };
}

export const usageCases: ContractCase[] = [
  {
    operation,
    path,
    title: "counters and limits",
    status: 200,
    targets: EVERYWHERE,
    holds: ({ usage, limits }: Usage) =>
      limits.api_rows_left === Math.max(0, limits.api_rows_month - usage.quota_rows),
  },
  {
    operation,
    title: "a query parameter it does not have",
    path: `${path}?month=2026-10`,
    status: 422,
    faults: ["query month"],
    targets: EVERYWHERE,
  },
];
