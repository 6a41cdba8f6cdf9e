import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { type Caller, type Charged, callerOfAccount } from "../../../accounts/keys/caller.ts";
import { recordExport } from "../../../accounts/people/account-log.ts";
import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { rowsLeft } from "../../../accounts/usage/quota.ts";
import { savedViews, saveView } from "../../../accounts/views/saved-views.ts";
import { contentTypeOf } from "../../../api/answer.ts";
import { type Feed, feedOf, filterOf } from "../../../feeds/catalogue.ts";
import { exportFeed } from "../../../feeds/export/export.ts";
import { OPERATIONS } from "../../../feeds/export/format.ts";
import { rowsInPlan } from "../../../feeds/records/count.ts";
import { type Look, lookAtRecords } from "../../../feeds/records/look.ts";
import { textCounts } from "../../../feeds/records/text-counts.ts";
import { listFeeds } from "../../../feeds/versions/feeds-list.ts";
import { operationTable } from "../../../generated/operations.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import type { Mistake } from "../../kit/field.ts";
import { sendPage } from "../dashboard-page.ts";
import { type Download, EXPORT_FORMATS } from "../explorer/menus.ts";
import { PAGE_ROWS, type RowsPage, rowsPage, SHOWN } from "../explorer/rows-page.ts";
import {
  NAME_FIELD,
  nameMistakes,
  SEARCH_FIELD,
  savedSearch,
  TOO_MANY_VIEWS,
  type TypedName,
} from "../explorer/saved-views.ts";
import {
  type Asked,
  feedQueryOf,
  isSentByForm,
  searchOf,
  unknownNames,
  type View,
  viewOf,
} from "../explorer/view.ts";
import { addressAfter, doneToast } from "../parts/after-action.ts";
import { feedLink } from "../parts/feeds/feed-head.ts";
import { filterMistakes, isTextsFilter } from "../parts/feeds/filter-fields.ts";
import { textChoices } from "../parts/feeds/text-choices.ts";
import { fieldOf, queryOf } from "../parts/form-fields.ts";
import { problemOf, type ShownProblem, sendProblem } from "../problem-page.ts";
import type { Routes } from "../signed-in.ts";

const HERE = "/feeds";

/** Routes the rows of a feed: the table of them with what can be done with it, saving it as a view, and its files. */
export const feedRowRoutes: Routes = (pages, context) => {
  pages.get("/feeds/:code", async (request, response, session) => {
    const head = await feedOfPlan(context, session, String(request.params.code));
    const query = queryOf(request);
    const view = viewOf(head.feed, query);
    if (isSentByForm(query)) {
      response.redirect(303, `${feedLink(context, head.feed)}${searchOf(head.feed, view)}#${SHOWN}`);
      return;
    }
    await sendRows(context, { request, response, session }, head, { view });
  });
  pages.get("/feeds/:code/views", async (request, response, session) => {
    const { feed } = await feedOfPlan(context, session, String(request.params.code));
    const view = viewOf(feed, queryOf(request));
    response.redirect(303, feedLink(context, feed) + savedSearch(feed, view));
  });
  pages.post("/feeds/:code/views", "save views", async (request, response, session) => {
    const head = await feedOfPlan(context, session, String(request.params.code));
    const view = viewOf(head.feed, new URLSearchParams(fieldOf(request, SEARCH_FIELD)));
    const name = fieldOf(request, NAME_FIELD).trim();
    const search = savedSearch(head.feed, view);
    let mistakes = nameMistakes(name);
    if (mistakes.length === 0 && filterMistakes(head.feed, view.asked).length === 0) {
      const { code: feedCode } = head.feed;
      if (await saveView(context, session.accountId, { feedCode, name, search })) {
        response.redirect(303, addressAfter(feedLink(context, head.feed) + search, "view-saved"));
        return;
      }
      mistakes = [TOO_MANY_VIEWS];
    }
    await sendRows(context, { request, response, session }, head, { view, typed: { name, mistakes } });
  });
  for (const format of EXPORT_FORMATS) {
    pages.download(`/feeds/:code/export.${format}`, "download files", async (request, response, session) => {
      const code = String(request.params.code);
      const feed = feedOf(code);
      if (!feed) throw notInPlan(code);
      const isHead = request.method === "HEAD";
      const caller = { ...(await callerOfAccount(context, session.accountId)), isHead };
      const query = queryOf(request);
      const { asked } = viewOf(feed, query);
      const mistakes = [...unknownFilters(feed, query), ...filterMistakes(feed, asked)];
      if (mistakes.length > 0) return sendProblem(context, response, refusalOf(mistakes), session);
      const answer = await exportFeed(context, caller, code, feedQueryOf(asked), { format });
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

/** Sends the page of a feed's rows. With a typed name that was refused, its status is 422. */
async function sendRows(
  context: EntryContext,
  { request, response, session }: { request: Request; response: Response; session: Session },
  { caller, ...head }: Awaited<ReturnType<typeof feedOfPlan>>,
  { view, typed = { name: "", mistakes: [] } }: { view: View; typed?: TypedName },
): Promise<void> {
  const { feed, state } = head;
  const { asked } = view;
  const mistakes = filterMistakes(feed, asked);
  const isShown = state.fresh && mistakes.length === 0;
  const result = isShown ? await lookAt(context, caller, feed, view) : null;
  const download =
    caller.rowsPerMonth === 0 || !mayDo(session.person.role, "download files")
      ? null
      : await downloadOf(context, caller, feed.code, { asked, result });
  const [views, texts] = await Promise.all([
    savedViews(context, session.accountId, feed.code),
    state.fresh ? textsOf(context, caller, { feed, view }) : new Map(),
  ]);
  const shown = {
    ...head,
    session,
    view,
    views,
    texts,
    typed,
    mistakes,
    result,
    download,
    top: doneToast(request),
  };
  const body = rowsPage(context, caller, shown);
  const status = statusOf(result, mistakes, typed.mistakes);
  sendPage(context, response, { title: feed.name, status, body, session, here: HERE });
}

function statusOf(
  result: Look | ShownProblem | null,
  filters: readonly Mistake[],
  name: readonly Mistake[],
): number {
  if (result !== null && "detail" in result) return result.status;
  if (filters.length > 0) return 400;
  return name.length > 0 ? 422 : 200;
}

/** A misspelled filter that was left out would charge for rows that nobody asked for. */
const unknownFilters = (feed: Feed, query: URLSearchParams): Mistake[] =>
  unknownNames(feed, query).map((name) => {
    const message = "The feed has no such filter. Nothing was charged.";
    return { name, label: name.slice(0, 64), message };
  });

const refusalOf = (mistakes: readonly Mistake[]): ShownProblem => ({
  status: 400,
  title: "Invalid input",
  detail: mistakes.map(({ label, message }) => `${label}: ${message}`).join(" "),
});

const notInPlan = (code: string): ProblemError =>
  new ProblemError("not_entitled", `Your plan includes no feed ${code.slice(0, 64)}.`);

/** A feed of the account's plan, and what its pages show above everything else. ProblemError not_entitled. */
export async function feedOfPlan(context: EntryContext, { accountId }: Session, code: string) {
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
  const { accountId } = caller;
  const left = await rowsLeft(context, caller);
  if (result === null || "detail" in result) return { accountId, left, rows: null, charge: 0 };
  let charge = 0;
  const onCharge = ({ rows }: Charged) => {
    charge = rows;
  };
  // HEAD is free and tells the charge. The charge is the same in every format, and of Parquet nothing is read for it.
  const asHead = { ...caller, isHead: true, onCharge };
  await exportFeed(context, asHead, code, feedQueryOf(asked), { format: "parquet" });
  return { accountId, left, rows: result.rows, charge };
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

/** What the feed's filters by whole texts can be asked for. None while the feed can't be filtered by them. */
async function textsOf(
  context: EntryContext,
  caller: Caller,
  { feed, view }: Pick<RowsPage, "feed" | "view">,
): Promise<RowsPage["texts"]> {
  const names = feed.allowedFilters.filter((name) => isTextsFilter(feed, name));
  const lists = names.map(async (name) => {
    const counts = await textCounts(context, caller, feed.code, filterOf(name).column).catch(noTexts);
    return [name, textChoices(view.asked.get(name) ?? "", counts)] as const;
  });
  return new Map(await Promise.all(lists));
}

function noTexts(error: unknown): [] {
  if (error instanceof ProblemError) return [];
  throw error;
}
