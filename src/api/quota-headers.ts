import type { Response } from "express";
import type { Charged, QuotaState } from "../accounts/keys/caller.ts";
import { leftOf } from "../accounts/usage/quota.ts";
import { exchangeOf } from "./exchange.ts";

/** Sets the X-Quota headers of an answer, which has cost nothing so far. */
export function openQuotaHeaders(response: Response, quota: QuotaState): void {
  exchangeOf(response).quota = { ...quota, cost: 0 };
  response.setHeader("X-Quota-Limit", quota.limit);
  response.setHeader("X-Quota-Reset", quota.resetAtSeconds);
  tellCost(response);
}

/** Sets them again after a charge. */
export function addToQuotaHeaders(response: Response, { rows, quotaUsed }: Charged): void {
  const { quota } = exchangeOf(response);
  if (quota === null) throw new Error("A request without a known key was charged");
  quota.cost += rows;
  if (quotaUsed !== undefined) quota.used = quotaUsed;
  tellCost(response);
}

function tellCost(response: Response): void {
  const { quota } = exchangeOf(response);
  if (quota === null || response.headersSent) return;
  response.setHeader("X-Quota-Remaining", leftOf(quota));
  response.setHeader("X-Quota-Cost", quota.cost);
}
