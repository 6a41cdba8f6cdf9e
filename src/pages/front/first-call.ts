import { FEEDS, type Feed } from "../../feeds/catalogue.ts";
import { madeUpRecords } from "../../feeds/records/records.ts";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { contractDocument } from "../guides/operations.ts";
import { codeBlock } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";

const FEED = FEEDS[0] as Feed;

/**
 * A curl line, and the record its answer begins with. With the key of the demo the line works as it is, and the record is
 * the one it gives. Otherwise the reader's own key is missing, and the record is the contract's example.
 */
export async function firstCall(context: EntryContext, demoKey: string | null): Promise<Html> {
  const record = demoKey === null ? null : await firstRecord(context);
  const header = demoKey === null ? `"X-API-Key: $KEY"` : `'X-API-Key: ${demoKey}'`;
  const address = `${context.config.publicUrl}/v1/feeds/${FEED.code}/records?page_size=1`;
  return html`<h2>Your first call</h2>
${demoKey === null ? withOwnKey(context) : html`<p>This is the demo, with made-up businesses. Paste this into a terminal: it works as it is.</p>`}
${codeBlock({ id: "curl", code: `curl -H ${header} \\\n  '${address}'`, language: "bash" })}
<div class="pair">
<div>
<p>${record === null ? "Each record of the answer looks like this one, which is made up." : "The answer begins with this record."} Choose the records by filters:</p>
<p>${FEED.allowedFilters.map((filter) => html`<code>${filter}</code> `)}</p>
<p>The <a href="${linkTo(context, "/docs")}">reference</a> explains each filter and column. Every other feed is read in the same way: put
its code in the place of <code>${FEED.code}</code>.</p>
</div>
<div class="short">
${codeBlock({ id: "record", code: JSON.stringify(record ?? exampleRecord(), null, 2), language: "json" })}</div>
</div>`;
}

const withOwnKey = (context: EntryContext): Html =>
  html`<p>Put your key in the place of <code>$KEY</code>: <a href="${linkTo(context, "/dashboard/keys")}">make one in the dashboard</a>. No account yet? <a href="${linkTo(context, "/request-access")}">Request access</a>.</p>`;

/** Read anew each time, so that it is never a business that was just removed. Null when the feed cannot be read. */
async function firstRecord(context: EntryContext): Promise<object | null> {
  try {
    return (await madeUpRecords(context, FEED, 1))?.data[0] ?? null;
  } catch (error) {
    context.log.warn({ err: error }, "The front page shows the example: the demo's feed could not be read.");
    return null;
  }
}

/** The first record of the contract's example of the feed. */
function exampleRecord(): object {
  const { components } = contractDocument();
  const page = Object.values(components.examples).find(({ value }) => value?.meta?.feed === FEED.code);
  const [record] = page?.value?.data ?? [];
  if (record === undefined) throw new Error(`openapi.yaml has no example of a page of ${FEED.code}.`);
  return record;
}
