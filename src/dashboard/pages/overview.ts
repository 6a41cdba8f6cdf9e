import { callerOfAccount } from "../../accounts/account-caller.ts";
import { listKeys } from "../../accounts/keys.ts";
import { readUsage } from "../../accounts/usage.ts";
import { listFeeds } from "../../feeds/feeds-list.ts";
import { html } from "../../platform/html.ts";
import type { Routes } from "../dashboard.ts";
import { formToken, placeOf, sendPage } from "../layout.ts";

/** The first page: the plan, how much of it is used, and what to do next. */
export const overviewRoutes: Routes = (router, context, guard) => {
  router.get(
    "/",
    guard(async (_request, response, session) => {
      const caller = await callerOfAccount(context, session.accountId);
      const [usage, feeds, keys] = await Promise.all([
        readUsage(context, caller),
        listFeeds(context, caller),
        listKeys(context, session.accountId),
      ]);
      const hasKey = keys.some((key) => key.revoked_at === null);
      const namesOf = (chosen: (feed: (typeof feeds.data)[number]) => boolean) =>
        feeds.data
          .filter(chosen)
          .map(({ name }) => name)
          .join(", ");
      const refreshing = namesOf((feed) => feed.as_of !== null && !feed.fresh);
      const notLive = namesOf((feed) => feed.as_of === null);
      const body = html`<h1>Overview</h1>
${!hasKey && caller.hasApiAccess && html`<p class="note">Begin with an API key: <a href="${placeOf(context, "/keys")}">make one</a>, and paste the line it comes with into a terminal.</p>`}
${refreshing && html`<p class="note warning">Being refreshed: ${refreshing}. Stale records are never served.</p>`}
${notLive && html`<p class="note">Not live yet: ${notLive}.</p>`}
<dl class="facts">
<div><dt>Plan</dt><dd>${caller.planName}</dd></div>
<div><dt>API access</dt><dd>${caller.hasApiAccess ? "yes" : "no, files only"}</dd></div>
<div><dt>Rows this month</dt><dd>${usage.usage.quota_rows.toLocaleString("en-US")} of ${caller.rowsPerMonth.toLocaleString("en-US")}</dd></div>
<div><dt>Requests a minute</dt><dd>${caller.requestsPerMinute.toLocaleString("en-US")} for each key</dd></div>
<div><dt>Feeds</dt><dd>${feeds.data.length}</dd></div>
<div><dt>Licence reference</dt><dd><code>${caller.licenceRef}</code></dd></div>
</dl>
<h2>Sessions</h2>
<p>Signed in as ${session.email}.</p>
<form method="post" action="${placeOf(context, "/sign-out-everywhere")}">
${formToken(session)}
<button class="quiet">Sign out everywhere</button>
</form>`;
      sendPage(context, response, { title: "Overview", body, session, here: "/" });
    }),
  );
};
