import { readUsage as usageOf } from "../../accounts/usage/usage.ts";
import type { Handler } from "../../generated/operations.ts";

export const readUsage: Handler<"readUsage"> = async ({ caller }, context) => {
  const body = await usageOf(context, caller);
  return { status: 200, body };
};
