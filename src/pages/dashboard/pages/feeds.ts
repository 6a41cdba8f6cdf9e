import { pipeline } from "node:stream/promises";
import { type Caller, type Charged, callerOfAccount } from "../../../accounts/keys/caller.ts";
import { recordExport } from "../../../accounts/people/account-log.ts";
import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { rowsLeft } from "../../../accounts/usage/quota.ts";
import { contentTypeOf } from "../../../api/answer.ts";
import { type Feed, feedOf } from "../../../feeds/catalogue.ts";
import { exportFeed } from "../../../feeds/export/export.ts";
import { OPERATIONS } from "../../../feeds/export/format.ts";
import { rowsInPlan } from "../../../feeds/records/count.ts";
import { type Look, lookAtRecords } from "../../../feeds/records/look.ts";
import { listFeeds } from "../../../feeds/versions/feeds-list.ts";
import { operationTable } from "../../../generated/operations.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import type { Mistake } from "../../kit/field.ts";
import { sendPage } from "../dashboard-page.ts";
import { type Download, EXPORT_FORMATS } from "../explorer/menus.ts";
import { PAGE_ROWS, rowsPage } from "../explorer/rows-page.ts";
import { type Asked, feedQueryOf, isSentByForm, searchOf, type View, viewOf } from "../explorer/view.ts";
import { feedLink } from "../parts/feeds/feed-head.ts";
import { filterMistakes } from "../parts/feeds/filter-fields.ts";
import { queryOf } from "../parts/form-fields.ts";
import { problemOf, type ShownProblem, sendProblem } from "../problem-page.ts";
import type { Routes } from "../signed-in.ts";
import { columnsPage, feedsPage } from "./feed-parts.ts";

const HERE = "/feeds";

/** Routes the list of feeds, and for each feed its rows with filters, the same request with curl, its columns, its files. */
export const feedRoutes: Routes = (pages, context) => {
  pages.get(HERE, async (_request, response, session) => {
    const plan = await callerOfAccount(context, session.accountId);
    const [{ data: feeds }, rows] = await Promise.all([listFeeds(context, plan), rowsInPlan(context, plan)]);
    const body = feedsPage(context, plan, feeds, rows);
    sendPage(context, response, { title: "Feeds", body, session, here: HERE });
  });
  pages.get("/feeds/:code", async (request, response, session) => {
    const code = String(request.params.code);
    const { caller, ...head } = await feedOfPlan(context, session, code);
    const query = queryOf(request);
    const view = viewOf(head.feed, query);
    if (isSentByForm(query)) {
      response.redirect(303, feedLink(context, head.feed) + searchOf(head.feed, view));
      return;
    }
    const { asked } = view;
    const mistakes = filterMistakes(head.feed, asked);
    const isShown = head.state.fresh && mistakes.length === 0;
    const result = isShown ? await lookAt(context, caller, head.feed, view) : null;
    const download =
      caller.rowsPerMonth === 0 || !mayDo(session.person.role, "download files")
        ? null
        : await downloadOf(context, caller, code, { asked, result });
    const isRefused = result !== null && "detail" in result;
    const status = isRefused ? result.status : mistakes.length > 0 ? 400 : 200;
    const body = rowsPage(context, caller, { ...head, view, mistakes, result, download, top: null });
    sendPage(context, response, { title: head.feed.name, status, body, session, here: HERE });
  });
  pages.get("/feeds/:code/columns", async (request, response, session) => {
    const { caller, ...head } = await feedOfPlan(context, session, String(request.params.code));
    const body = columnsPage(context, caller, head);
    sendPage(context, response, { title: `${head.feed.name}: columns`, body, session, here: HERE });
  });
  for (const format of EXPORT_FORMATS) {
    pages.download(`/feeds/:code/export.${format}`, "download files", async (request, response, session) => {
      const code = String(request.params.code);
      const feed = feedOf(code);
      if (!feed) throw notInPlan(code);
      const isHead = request.method === "HEAD";
      const caller = { ...(await callerOfAccount(context, session.accountId)), isHead };
      const { asked } = viewOf(feed, queryOf(request));
      const mistakes = filterMistakes(feed, asked);
      if (mistakes.length > 0) return sendProblem(context, response, refusalOf(mistakes), session);
      const query = feedQueryOf(asked);
      const answer = await exportFeed(context, caller, code, query, { format });
      if (answer.status !== 200) throw new Error("An export without a tag was answered as unchanged");
      try {
        if (!isHead) await recordExport(context, session, `${code}.${format}`);
        const { ETag, "Accept-Ranges": ranges, ...headers } = answer.headers;
        const type = contentTypeOf(operationTable[OPERATIONS[format]].answers[200].media);
        response.set({ ...headers, "Content-Type": type });
        await pipeline(answer.body, response);
      } finally {
        answer.body.destroy();
      }
    });
  }
};

const refusalOf = (mistakes: readonly Mistake[]): ShownProblem => ({
  status: 400,
  title: "Invalid input",
  detail: mistakes.map(({ label, message }) => `${label}: ${message}`).join(" "),
});

const notInPlan = (code: string): ProblemError =>
  new ProblemError("not_entitled", `Your plan includes no feed ${code.slice(0, 64)}.`);

/** A feed of the account's plan, and what its pages show above everything else. ProblemError not_entitled. */
async function feedOfPlan(context: EntryContext, { accountId }: Session, code: string) {
  const feed = feedOf(code);
  const caller = await callerOfAccount(context, accountId);
  const [feeds, rows] = await Promise.all([listFeeds(context, caller), rowsInPlan(context, caller)]);
  const state = feeds.data.find((each) => each.code === code);
  if (!feed || !state) throw notInPlan(code);
  return { caller, feed, state, rows: rows.get(code) };
}

/** What a download of the shown rows and those behind them would charge. */
async function downloadOf(
  context: EntryContext,
  caller: Caller,
  code: string,
  { asked, result }: { asked: Asked; result: Look | ShownProblem | null },
): Promise<Download> {
  const left = await rowsLeft(context, caller);
  if (result === null || "detail" in result) return { left, rows: null, charge: 0 };
  let charge = 0;
  const onCharge = ({ rows }: Charged) => {
    charge = rows;
  };
  // HEAD is free and tells the charge. The charge is the same in every format, and of Parquet nothing is read for it.
  const asHead = { ...caller, isHead: true, onCharge };
  await exportFeed(context, asHead, code, feedQueryOf(asked), { format: "parquet" });
  return { left, rows: result.rows, charge };
}

/** A page of rows, which is free, or the problem with the request. */
async function lookAt(
  context: EntryContext,
  caller: Caller,
  feed: Feed,
  { asked, sort, page }: View,
): Promise<Look | ShownProblem> {
  try {
    const query = { ...feedQueryOf(asked), sort, page, pageSize: PAGE_ROWS };
    return await lookAtRecords(context, caller, feed.code, query);
  } catch (error) {
    if (error instanceof ProblemError) return problemOf(error);
    throw error;
  }
}
