import { readUsageReport } from "../../accounts/usage/usage.ts";
import type { Handler } from "../../generated/operations.ts";

export const readUsage: Handler<"readUsage"> = async ({ caller }, context) => {
  const body = await readUsageReport(context, caller);
  return { status: 200, body };
};
