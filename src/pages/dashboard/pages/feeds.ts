import { callerOfAccount } from "../../../accounts/keys/caller.ts";
import { deleteView, savedViews } from "../../../accounts/views/saved-views.ts";
import { rowsInPlan } from "../../../feeds/records/count.ts";
import { listFeeds } from "../../../feeds/versions/feeds-list.ts";
import { dashboardLink } from "../../frame/links.ts";
import { html } from "../../kit/html.ts";
import { sendPage } from "../dashboard-page.ts";
import { viewTable } from "../explorer/saved-views.ts";
import { addressAfter, doneToast } from "../parts/after-action.ts";
import { fieldOf } from "../parts/form-fields.ts";
import type { Routes } from "../signed-in.ts";
import { columnsPage, feedsPage } from "./feed-parts.ts";
import { feedOfPlan } from "./feed-rows.ts";

const HERE = "/feeds";

/** Routes the list of feeds with the views that the account saved, and the columns of each feed. */
export const feedRoutes: Routes = (pages, context) => {
  pages.get(HERE, async (request, response, session) => {
    const plan = await callerOfAccount(context, session.accountId);
    const [{ data: feeds }, rows, views] = await Promise.all([
      listFeeds(context, plan),
      rowsInPlan(context, plan),
      savedViews(context, session.accountId),
    ]);
    const planFeeds = new Set<string>(feeds.map(({ code }) => code));
    const body = html`${feedsPage(context, plan, feeds, rows, doneToast(request))}
${
  views.length > 0 &&
  html`<h2>Saved views</h2>
${viewTable(context, session, views, planFeeds)}`
}`;
    sendPage(context, response, { title: "Feeds", body, session, here: HERE });
  });
  pages.post("/feeds/views/delete", "delete views", async (request, response, session) => {
    const id = fieldOf(request, "view");
    if (/^[1-9]\d{0,8}$/.test(id)) await deleteView(context, session.accountId, Number(id));
    response.redirect(303, addressAfter(dashboardLink(context, HERE), "view-deleted"));
  });
  pages.get("/feeds/:code/columns", async (request, response, session) => {
    const { caller, ...head } = await feedOfPlan(context, session, String(request.params.code));
    const body = columnsPage(context, caller, head);
    sendPage(context, response, { title: `${head.feed.name}: columns`, body, session, here: HERE });
  });
};
