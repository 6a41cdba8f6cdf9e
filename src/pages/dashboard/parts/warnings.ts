// Warnings for an account's people, each with what to do. The overview shows them all; other pages show their own.

import type { Caller } from "../../../accounts/keys/caller.ts";
import { WARN_AT_PERCENT } from "../../../accounts/usage/quota-warnings.ts";
import type { Forecast, Usage } from "../../../accounts/usage/usage.ts";
import { isFreshDetection, newestDetection } from "../../../events/detection.ts";
import { planScope } from "../../../events/scope.ts";
import type { components } from "../../../generated/types.ts";
import { DAY_MS, dayOf, monthAfter } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countFailedMails } from "../../../platform/mail/outbox.ts";
import { countOf, percentOf, shownCount } from "../../../platform/plural.ts";
import { shownDate, shownDay } from "../../../platform/shown-day.ts";
import { countRemovedSince } from "../../../suppression/status.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { notice } from "../../kit/notice.ts";
import { howToGetMore, type PlanShown, whomToAsk } from "../plan-note.ts";
import { forecastBasis } from "./quota-forecast.ts";

/** Something does not work (`bad`), needs attention (`warn`), or is worth knowing (`info`). */
export interface Warning {
  kind: "bad" | "warn" | "info";
  what: Html | string;
  /** What to do about it. */
  remedy: Html | string;
}

export const shownWarning = ({ kind, what, remedy }: Warning): Html =>
  notice(kind, html`<strong>${what}</strong> ${remedy}`);

const MAILS_DAYS = 7;
const REMOVALS_DAYS = 30;

/** A warning when the account is suspended. */
export const suspensionWarnings = (
  context: EntryContext,
  { suspension, licenceRef }: Pick<Caller, "suspension" | "licenceRef">,
): Warning[] =>
  suspension === null
    ? []
    : [
        {
          kind: "bad",
          what: `The account is suspended: ${suspension}`,
          remedy: html`Requests with its keys are answered 403 account_suspended, downloads are refused, and webhook deliveries wait. Nothing is lost. To settle it, ${whomToAsk(context, `Suspension of ${licenceRef}`)}.`,
        },
      ];

/** A warning when most or all of the month's rows are used, or will be before its end. */
export function quotaWarnings(
  context: EntryContext,
  plan: PlanShown,
  used: Usage & { forecast: Forecast | null },
): Warning[] {
  const [rows, limit] = [used.usage.quota_rows, used.limits.api_rows_month];
  const next = shownDay(monthAfter(used.month_start));
  const usedUp = used.forecast?.usedUpOn ? `used up on ${shownDay(used.forecast.usedUpOn)}` : null;
  if (limit === 0 || rows * 100 < limit * WARN_AT_PERCENT[0]) {
    if (!used.forecast || usedUp === null) return [];
    const remedy = html`${forecastBasis(used.forecast)} Then requests and downloads that would return rows are refused until ${next} (UTC). ${howToGetMore(context, plan)}`;
    return [{ kind: "info", what: `At this pace this month's rows are ${usedUp}.`, remedy }];
  }
  if (rows >= limit) {
    const remedy = html`Requests and downloads that would return rows are refused until ${next} (UTC). ${howToGetMore(context, plan)}`;
    return [{ kind: "bad", what: "All rows of this month are used.", remedy }];
  }
  const left = shownCount(used.limits.api_rows_left);
  const remedy = html`${left} rows are left until ${next} (UTC)${usedUp && `; at this pace they are ${usedUp}`}. ${howToGetMore(context, plan)}`;
  return [{ kind: "warn", what: `${percentOf(rows, limit)} of this month's rows are used.`, remedy }];
}

/** Warnings about feeds of the plan that are stale or not live. */
export function feedWarnings(
  context: EntryContext,
  feeds: readonly components["schemas"]["FeedOut"][],
): Warning[] {
  const stale = feeds
    .filter((feed) => feed.as_of !== null && !feed.fresh)
    .map(({ name, as_of }) => `${name} (of ${shownDate(as_of ?? "", dayOf(context.clock.now()))})`);
  const notLive = feeds.filter((feed) => feed.as_of === null).map(({ name }) => name);
  const warnings: Warning[] = [];
  if (stale.length > 0) {
    warnings.push({
      kind: "bad",
      what: `Stale and not served: ${stale.join(", ")}.`,
      remedy: html`Until newer data are imported, requests and downloads are answered 503 stale_source. Programs try again after the seconds in Retry-After. If it lasts, ${whomToAsk(context, "Stale feeds")}.`,
    });
  }
  if (notLive.length > 0) {
    const remedy = "They are in your plan and appear here when they are published. You need not do anything.";
    warnings.push({ kind: "info", what: `Not live yet: ${notLive.join(", ")}.`, remedy });
  }
  return warnings;
}

/** Other warnings: stale events, failed mails, removed businesses. */
export async function otherWarnings(
  context: EntryContext,
  { email, plan }: { email: string; plan: PlanShown & Parameters<typeof planScope>[0] },
): Promise<Warning[]> {
  const daysAgo = (days: number) => new Date(context.clock.now().getTime() - days * DAY_MS);
  const [detection, mails, removed] = await Promise.all([
    newestDetection(context),
    countFailedMails(context, email, daysAgo(MAILS_DAYS)),
    countRemovedSince(context, [...plan.feeds.keys()], daysAgo(REMOVALS_DAYS)),
  ]);
  const warnings: Warning[] = [];
  if (planScope(plan).size > 0 && !isFreshDetection(context, detection)) {
    warnings.push({
      kind: "bad",
      what: `Events are stale and not served: ${detection === null ? "there are none yet" : `the newest are of ${shownDate(detection.asOf, dayOf(context.clock.now()))}`}.`,
      remedy: html`Until newer data are imported, GET /v1/events is answered 503 stale_source. Your cursor stays valid. If it lasts, ${whomToAsk(context, "Stale events")}.`,
    });
  }
  if (mails > 0) {
    warnings.push({
      kind: "warn",
      what: `${countOf(mails, "mail")} to ${email} could not be delivered in the last ${MAILS_DAYS} days.`,
      remedy: html`Warnings and sign-in links go to this address. Make sure that the mailbox accepts mail${context.config.contactEmail && html`, or write to <a href="mailto:${context.config.contactEmail}">${context.config.contactEmail}</a> to change the address`}.`,
    });
  }
  if (removed > 0) {
    warnings.push({
      kind: "info",
      what: `${countOf(removed, "business was", "businesses were")} removed on request from feeds of your plan in the last ${REMOVALS_DAYS} days.`,
      remedy: html`Feeds no longer have these rows. Remove them from your copies too: read or download your <a href="${dashboardLink(context, "/feeds")}">feeds</a> again and delete the rows that are gone.`,
    });
  }
  return warnings;
}
