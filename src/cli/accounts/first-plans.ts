import { applyPlans, hasPlans, SHIPPED_PLANS } from "../../accounts/plans/plans.ts";
import { FEEDS } from "../../feeds/catalogue.ts";
import type { EntryContext } from "../../platform/context.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";

/** The feed codes and regions that a plan file may name. */
export const PLAN_WORDS = { feedCodes: FEEDS.map((feed) => feed.code), regions: STATE_CODES };

/** Applies the shipped plans when the database has none, so that accounts can be opened at once. */
export async function applyShippedPlansOnce(context: EntryContext): Promise<void> {
  if (!(await hasPlans(context))) await applyPlans(context, SHIPPED_PLANS, PLAN_WORDS);
}
