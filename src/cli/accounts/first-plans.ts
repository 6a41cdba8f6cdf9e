import { applyPlans, hasPlans, SHIPPED_PLANS } from "../../accounts/plans/plans.ts";
import { FEEDS } from "../../feeds/catalogue.ts";
import type { EntryContext } from "../../platform/context.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";

/** The words a plan file may use. */
export const PLAN_WORDS = { feedCodes: FEEDS.map((feed) => feed.code), regions: STATE_CODES };

/** A database without any plan gets the shipped ones, so that accounts can be opened at once. */
export async function applyShippedPlansOnce(context: EntryContext): Promise<void> {
  if (!(await hasPlans(context))) await applyPlans(context, SHIPPED_PLANS, PLAN_WORDS);
}
