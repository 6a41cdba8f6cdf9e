// The rows of a view as a call of the API, in three languages.
import type { Feed } from "../../../feeds/catalogue.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { codeBlock, codeChoice } from "../../kit/code-block.ts";
import { type Html, html } from "../../kit/html.ts";
import { type AskedName, isListFilter, kindOfAnswer } from "../parts/feeds/filter-fields.ts";
import { searchFrom, type View } from "./view.ts";

/** The part of a feed's page for programs. */
export const asCall = ({ config: { publicUrl } }: EntryContext, feed: Feed, view: View): Html => {
  const fields = view.columns.map(({ name }) => name);
  const search = searchFrom([...view.asked, ["fields", fields.join()]]);
  return html`<h2>The same from your own program</h2>
${codeChoice([
  {
    name: "curl",
    block: codeBlock({
      id: "curl",
      language: "bash",
      code: `curl -H "X-API-Key: $KEY" '${publicUrl}/v1/feeds/${feed.code}/records${search.replaceAll("'", "%27")}'`,
    }),
  },
  {
    name: "TypeScript",
    block: codeBlock({
      id: "typescript",
      language: "typescript",
      code: typescript(publicUrl, feed, view, fields),
    }),
  },
  {
    name: "Python",
    block: codeBlock({ id: "python", language: "python", code: python(publicUrl, feed, view, fields) }),
  },
])}
<p class="hint">Each row of the answer charges one row of the month's quota. A page that has not changed since you read it is free, when you send its ETag. ${view.sort && "The API sends rows in the feed's own order."}</p>`;
};

const typescript = (baseUrl: string, feed: Feed, { asked }: View, fields: readonly string[]): string =>
  `import { createClient } from "@trucking-data-feed/sdk";

const tdf = createClient({ apiKey: process.env.TDF_KEY ?? "", baseUrl: ${JSON.stringify(baseUrl)} });
const filters = ${literal(feed, asked, { yes: "true", no: "false", isQuoted: false })};
for await (const record of tdf.records("${feed.code}", filters, { fields: ${spaced(fields)} })) {
  console.log(record.company);
}`;

const python = (baseUrl: string, feed: Feed, { asked }: View, fields: readonly string[]): string =>
  `import os
from trucking_data_feed import TruckingDataFeed

tdf = TruckingDataFeed(os.environ["TDF_KEY"], ${JSON.stringify(baseUrl)})
filters = ${literal(feed, asked, { yes: "True", no: "False", isQuoted: true })}
for record in tdf.records("${feed.code}", filters):
    print(${fields.map((name) => `record["${name}"]`).join(", ")})`;

const spaced = (names: readonly string[]): string =>
  `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;

interface Notation {
  yes: string;
  no: string;
  /** Whether names are in quotes. */
  isQuoted: boolean;
}

/** Filters as an object of a language, with values of the contract's types. */
function literal(feed: Feed, asked: View["asked"], { yes, no, isQuoted }: Notation): string {
  if (asked.size === 0) return "{}";
  const value = (name: AskedName, text: string): string => {
    if (isListFilter(name)) return spaced(text.split(",").map((item) => item.trim()));
    const kind = kindOfAnswer(feed, name);
    if (kind === "boolean") return /^(true|1)$/i.test(text) ? yes : no;
    // Python reads no number that begins with 0.
    return kind === "number" ? text.replace(/^0+(?=\d)/, "") : JSON.stringify(text);
  };
  const members = [...asked].map(([name, text]) => `${isQuoted ? `"${name}"` : name}: ${value(name, text)}`);
  return isQuoted ? `{${members.join(", ")}}` : `{ ${members.join(", ")} }`;
}
