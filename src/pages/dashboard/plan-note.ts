import { WAITING_PLAN } from "../../accounts/access/requests.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { EntryContext } from "../../platform/context.ts";
import { shownCount } from "../../platform/plural.ts";
import { dashboardLink, linkTo } from "../frame/links.ts";
import { codeBlock } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { notice } from "../kit/notice.ts";

/** The account's plan as pages show it. */
export type PlanShown = Pick<Caller, "planCode" | "licenceRef" | "hasApiAccess" | "rowsPerMonth"> & {
  planName: string;
};

/** Whom to ask, in the middle of a sentence. */
export const whomToAsk = ({ config }: EntryContext, subject: string): Html | string =>
  config.contactEmail
    ? html`write to <a href="mailto:${config.contactEmail}?subject=${encodeURIComponent(subject)}">${config.contactEmail}</a>`
    : "ask the operator of this service";

/** A sentence about how to get another plan, or the one that the account waits for. */
export const howToGetMore = (
  context: EntryContext,
  { licenceRef, planCode }: Pick<PlanShown, "licenceRef" | "planCode">,
  wish = "To change the plan",
): Html =>
  planCode === WAITING_PLAN
    ? html`The plan follows from your request for access: we mail you as soon as it is decided.`
    : html`${wish}, ${whomToAsk(context, `Plan of ${licenceRef}`)} and name your licence reference <code>${licenceRef}</code>.`;

/**
 * A note for a plan without API access: what it is good for, what it lacks, how to get it; or what an account waits for.
 * False for any other plan.
 */
export function noApiAccess(context: EntryContext, plan: PlanShown): Html | false {
  if (plan.planCode === WAITING_PLAN) return waitsForWord(context);
  return !plan.hasApiAccess && withoutApi(context, plan);
}

const waitsForWord = (context: EntryContext): Html =>
  notice(
    "info",
    html`<p>Your request for access is with the operator of the service, who chooses the plan. We mail you as soon as it is decided. Until then
there are no live data here.</p>
<p>Meanwhile your <a href="${dashboardLink(context, "/keys")}">test key</a> works: it reads <a href="${linkTo(context, "/docs/testing")}">test mode</a>, a small
made-up registry, and everything else is as with live data. See also what <a href="${linkTo(context, "/feeds")}">each feed</a> has, and the <a href="${linkTo(context, "/docs/start")}">guide</a> from a key to
the first records.${context.config.contactEmail && html` If you have a question, ${whomToAsk(context, "Request for access")}.`}</p>`,
    { id: "no-api-title", text: "Your account waits for live data" },
  );

const withoutApi = (context: EntryContext, plan: PlanShown): Html =>
  notice(
    "info",
    html`<p>You can look at the feeds, companies and events here. ${plan.rowsPerMonth > 0 && `You can also download ${shownCount(plan.rowsPerMonth)} rows a month.`}
The plan ${plan.planName} has no API keys and no webhooks${plan.rowsPerMonth === 0 && ", and no files to download"}.</p>
<p>${howToGetMore(context, plan, plan.rowsPerMonth > 0 ? "For the API" : "For files or the API")}</p>`,
    { id: "no-api-title", text: "Your plan has no API access" },
  );

/** The part of a page that shows how a program gets the same from the API, and what that costs. */
export const ownProgramPart = (
  context: EntryContext,
  { path, cost }: { path: string; cost: string },
): Html => html`<h2>The same from your own program</h2>
${codeBlock({
  id: "curl",
  language: "bash",
  code: `curl -H "X-API-Key: $KEY" '${context.config.publicUrl}${path}'`,
  copy: "Copy the line",
})}
<p class="hint">${cost}</p>`;
