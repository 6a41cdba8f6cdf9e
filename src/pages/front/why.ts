import { feedOf } from "../../feeds/catalogue.ts";
import type { PublishedFeedShown } from "../../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../../platform/context.ts";
import { countOf } from "../../platform/plural.ts";
import { linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";
import { FEED_WORDS, TRADES } from "./feed-words.ts";

/** The trades that read the feeds: a question of each, and the feed that answers it with its rows now. */
export const forWhom = (
  context: EntryContext,
  feeds: readonly PublishedFeedShown[] | undefined,
): Html => html`<h2>Who asks what</h2>
<div class="ways trades">
${TRADES.map(([trade, code]) => {
  const rows = feeds?.find(({ feed }) => feed === code)?.rows ?? null;
  return html`<section class="card">
<h3>${trade}</h3>
<p class="question">${FEED_WORDS[code].question}</p>
<p><a href="${linkTo(context, `/feeds/${code}`)}">${feedOf(code)?.name ?? code}</a>${rows !== null && html`<br>${countOf(rows, "row")} now`}</p>
</section>
`;
})}</div>`;

/** How a copy is kept, in three steps. */
export const inSync = (context: EntryContext): Html => html`<h2>A copy that stays equal</h2>
<ol class="in-sync">
<li><strong>Take a feed once.</strong> As a CSV, NDJSON or Parquet file, or page by page as JSON. A download that broke off goes on where it stopped.</li>
<li><strong>Ask what changed.</strong> Since your version: records added, changed and removed, with the values before. Or follow
<a href="${linkTo(context, "/docs/webhooks")}">events</a>, by cursor or as signed webhooks.</li>
<li><strong>Compare the checkpoint.</strong> One digest proves that your copy equals ours. It covers every column but the
two of the day (<code>last_verified</code>, <code>days_in_business</code>), which your program computes.</li>
</ol>
<p><a href="${linkTo(context, "/docs/sync")}">How to stay in sync</a>, with programs to copy.</p>`;

/** Why the rows can be relied on, and what they never have. */
export const trust = (context: EntryContext): Html => html`<h2>Rows that you can rely on</h2>
<div class="pair">
<section>
<h3>How they are checked</h3>
<ul>
<li>Each comes from official files of the FMCSA, and says when its status was last verified there.</li>
<li>What the files do not say is empty. Nothing is guessed, and no default stands in for a value.</li>
<li>An import that would change more than a day of the registry does is held until a person has looked.</li>
<li>A feed that is too old is not served. <a href="${linkTo(context, "/status")}">The status</a> says so, with the day.</li>
</ul>
</section>
<section>
<h3>What they never have</h3>
<ul>
<li>Names of officers, and tax numbers.</li>
<li>The phone or e-mail of a filing agent as the company's own.</li>
<li>A business that asked to be <a href="${linkTo(context, "/remove")}">removed</a>. That is free, needs no account, and takes effect at once, everywhere.</li>
</ul>
</section>
</div>`;
