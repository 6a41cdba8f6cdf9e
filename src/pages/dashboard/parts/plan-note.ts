import type { Caller } from "../../../accounts/keys/caller.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { type Html, html } from "../../kit/html.ts";
import { notice } from "../../kit/notice.ts";
import { shownCount } from "../../kit/number.ts";

/** The account's plan as pages show it. */
export type PlanShown = Pick<Caller, "licenceRef" | "hasApiAccess" | "rowsPerMonth"> & { planName: string };

/** A sentence about how to get another plan. */
export const howToGetMore = ({ config }: EntryContext, { licenceRef }: Pick<PlanShown, "licenceRef">): Html =>
  html`To change the plan, ${
    config.contactEmail
      ? html`write to <a href="mailto:${config.contactEmail}?subject=${encodeURIComponent(`Plan of ${licenceRef}`)}">${config.contactEmail}</a>`
      : "ask whoever opened this account for you"
  } and name your licence reference <code>${licenceRef}</code>.`;

/** A note for a plan without API access: what it includes, what it lacks, how to get it. False for any other plan. */
export const noApiAccess = (context: EntryContext, plan: PlanShown): Html | false =>
  !plan.hasApiAccess &&
  notice(
    "info",
    html`<p>${plan.planName} includes: its feeds and events, to look at here${plan.rowsPerMonth > 0 && `, and ${shownCount(plan.rowsPerMonth)} rows a month to download as CSV`}.
It does not include: API keys, requests to the API, webhooks${plan.rowsPerMonth === 0 && ", downloads from here"}.</p>
<p>${howToGetMore(context, plan)}</p>`,
    { id: "no-api-title", text: "Your plan has no API access" },
  );
