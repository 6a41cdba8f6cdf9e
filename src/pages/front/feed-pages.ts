import type { RequestHandler } from "express";
import { FEEDS, type Feed, feedOf } from "../../feeds/catalogue.ts";
import { madeUpRecords } from "../../feeds/records/records.ts";
import type { PublishedFeedShown } from "../../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../../platform/context.ts";
import { countOf } from "../../platform/plural.ts";
import { findTestMode } from "../../testmode/test-mode.ts";
import { columnTable, recordTable } from "../dashboard/parts/feeds/record-table.ts";
import { statesFigure } from "../dashboard/parts/feeds/states-figure.ts";
import { sendSitePage } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { freshnessBadge } from "../kit/badge.ts";
import { codeBlock, inlineCode } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { backTo } from "../kit/navigation.ts";
import { notice } from "../kit/notice.ts";
import { table } from "../kit/table.ts";
import { FEED_WORDS } from "./feed-words.ts";
import type { LiveNumbers, stateNumbersOf } from "./live-numbers.ts";
import { wayIn } from "./way-in.ts";

type Numbers = () => Promise<LiveNumbers | null>;

/** GET /feeds: every feed, for whom it is, and its size now. */
export function feedsPage(context: EntryContext, liveNumbers: Numbers): RequestHandler {
  return async (_request, response) => {
    const numbers = await liveNumbers();
    sendSitePage(context, response, "wide", {
      title: "Feeds",
      description: "The feeds of US trucking companies: what each lists, and for whom.",
      here: "/feeds",
      body: html`<h1>Feeds</h1>
<p>A feed is a list of records about companies, compiled from the official registry of the FMCSA. Each record has the state that the
registry has for it, and the day on which that was last verified. Every import of the registry publishes every feed, also a weekly one.</p>
${table({
  label: "Feeds",
  rowsAreCards: true,
  rows: FEEDS,
  columns: [
    {
      head: "Feed",
      cell: ({ code, name }: Feed) =>
        html`<a href="${linkTo(context, `/feeds/${code}`)}">${name}</a><br><code>${code}</code>`,
    },
    { head: "The question it answers", isLong: true, cell: ({ code }) => FEED_WORDS[code].question },
    { head: "Read by", isLong: true, cell: ({ code }) => FEED_WORDS[code].readers },
    { head: "Rows", isNumber: true, cell: (feed) => numbersOf(numbers, feed)?.rows },
    { head: "State", cell: (feed) => stateOf(numbers, feed) },
    { head: "Refreshed", cell: ({ cadence }) => cadence },
  ],
})}
<p class="row">${wayIn(context)}
<a class="button quiet" href="${linkTo(context, "/pricing")}">See the plans</a></p>`,
    });
  };
}

/** GET /feeds/{code}: what a feed lists, for whom, its size now, where its companies are, its columns, and how to read it. */
export function feedPage(
  context: EntryContext,
  liveNumbers: Numbers,
  stateNumbers: ReturnType<typeof stateNumbersOf>,
): RequestHandler {
  return async (request, response, next) => {
    const feed = feedOf(String(request.params.code));
    if (feed === undefined) return next();
    const { about, readers, question } = FEED_WORDS[feed.code];
    const states = await stateNumbers(feed.code);
    sendSitePage(context, response, "wide", {
      title: feed.name,
      description: about,
      here: "/feeds",
      body: html`${backTo(linkTo(context, "/feeds"), "Feeds")}<h1>${feed.name}</h1>
<p>${about}</p>
${nowPart(context, feed, numbersOf(await liveNumbers(), feed))}
<h2>Who reads it</h2>
<p>${readers} ask: <strong>${question}</strong></p>
${states && html`<h2>Where they are</h2>\n${statesFigure(states)}`}
${readPart(context, feed)}
${await samplePart(context, feed)}
<h2>Columns</h2>
<p>JSON members and CSV cells come in this order. New columns are added at the end.</p>
${columnTable(feed)}
<p class="row">${wayIn(context)}
<a class="button quiet" href="${linkTo(context, "/pricing")}">See the plans</a></p>`,
    });
  };
}

const numbersOf = (numbers: LiveNumbers | null, { code }: Feed): PublishedFeedShown | undefined =>
  numbers?.feeds.find(({ feed }) => feed === code);

function stateOf(numbers: LiveNumbers | null, feed: Feed): Html | null {
  const now = numbersOf(numbers, feed);
  return now === undefined ? null : freshnessBadge[now.state];
}

/** How many rows the feed has, and whether they are served. Nothing while the database does not answer. */
const nowPart = (
  context: EntryContext,
  { code, cadence }: Feed,
  now: PublishedFeedShown | undefined,
): Html => html`<p>${now && freshnessBadge[now.state]} <code>${code}</code> · ${
  now?.rows !== undefined && now.rows !== null && html`${countOf(now.rows, "row")} · `
}${now?.as_of && html`as of <time>${now.as_of}</time> · `}refreshed ${cadence}</p>
${
  now?.state === "stale" &&
  notice(
    "warn",
    html`These data are too old to be relied on, so they are not served: requests are answered <a href="${linkTo(context, "/problems/stale_source")}"><code>stale_source</code></a> until newer files of the registry are imported. See the <a href="${linkTo(context, "/status")}">status</a>.`,
  )
}`;

const SAMPLE_ROWS = 20;

/** Rows of test mode, or of the demo: the public pages show no real business. Nothing where there is neither. */
async function samplePart(context: EntryContext, feed: Feed): Promise<Html | false> {
  try {
    const madeUp = (await findTestMode(context)) ?? context;
    const sample = await madeUpRecords(madeUp, feed, SAMPLE_ROWS);
    if (sample === null || sample.data.length === 0) return false;
    return html`<h2>A sample</h2>
<p>${countOf(sample.data.length, "row")} of made-up companies, with every column. A <a href="${linkTo(context, "/docs/testing")}">test key</a> reads such rows as the API gives them.</p>
${recordTable(feed.columns, sample.data)}`;
  } catch (err) {
    context.log.warn(
      { err, feed: feed.code },
      "The sample of a feed could not be read; its page is shown without it.",
    );
    return false;
  }
}

const readPart = (context: EntryContext, { code, allowedFilters }: Feed): Html => html`<h2>How to read it</h2>
<p>With the API, as JSON. Put your key in the place of <code>$KEY</code>:</p>
${codeBlock({
  id: "curl",
  language: "bash",
  code: `curl -H "X-API-Key: $KEY" \\\n  '${context.config.publicUrl}/v1/feeds/${code}/records?state=TX&page_size=20'`,
})}
<p>Filters choose the records: ${allowedFilters.map((filter) => html`<code>${filter}</code> `)}</p>
<p>The whole feed is one CSV, NDJSON or Parquet file, by ${inlineCode(`/v1/feeds/${code}/export.csv`)} and the like or from the dashboard. A
copy asks <a href="${linkTo(context, "/docs/sync")}">what changed since its version</a>. The <a href="${linkTo(context, "/docs/reading")}">guide</a> has the rest.</p>`;
