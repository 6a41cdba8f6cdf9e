import type { EntryContext } from "../../../../platform/context.ts";
import { type Html, html } from "../../../kit/html.ts";
import { howToGetMore, type PlanShown } from "../../plan-note.ts";

/** A plan as the pages of watchlists need it. */
export type WatchPlan = PlanShown & { watchedCarriers: number };

/** What a watched carrier costs. */
export const WATCH_COST =
  "A watched carrier costs one row of the quota each month, however many lists have it. Its changes are free.";

/** What a plan lacks to watch carriers; null when it lacks nothing. */
export function watchLack(context: EntryContext, plan: WatchPlan): Html | null {
  if (plan.watchedCarriers === 0) {
    return html`The plan ${plan.planName} includes no watched carriers. ${howToGetMore(context, plan)}`;
  }
  if (plan.rowsPerMonth === 0) {
    return html`A watched carrier costs one row a month, and the plan ${plan.planName} has no rows. ${howToGetMore(context, plan)}`;
  }
  return null;
}
