import type { Caller } from "../../../accounts/keys/caller.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { type Html, html } from "../../frame/html.ts";
import { shownCount } from "./shown-values.ts";

/** The account's plan, as pages tell of it. */
export type PlanShown = Pick<Caller, "licenceRef" | "hasApiAccess" | "rowsPerMonth"> & { planName: string };

/** How to get another plan. */
export const howToGetMore = ({ config }: EntryContext, { licenceRef }: Pick<PlanShown, "licenceRef">): Html =>
  html`To change the plan, ${
    config.contactEmail
      ? html`write to <a href="mailto:${config.contactEmail}?subject=${encodeURIComponent(`Plan of ${licenceRef}`)}">${config.contactEmail}</a>`
      : "ask the people who opened this account for you"
  } and name your licence reference <code>${licenceRef}</code>.`;

/** What a plan without API access has, what it lacks, and how to get that; nothing for any other plan. */
export const noApiAccess = (context: EntryContext, plan: PlanShown): Html | false =>
  !plan.hasApiAccess &&
  html`<section class="note" aria-labelledby="no-api-title">
<h2 id="no-api-title">Your plan has no API access</h2>
<p>${plan.planName} has: the feeds and events of the plan to look at here${plan.rowsPerMonth > 0 && `, and ${shownCount(plan.rowsPerMonth)} rows a month to download as CSV`}.
It does not have: API keys, requests to the API, webhooks${plan.rowsPerMonth === 0 && ", downloads from here"}.</p>
<p>${howToGetMore(context, plan)}</p>
</section>`;
