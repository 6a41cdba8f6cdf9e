import type { EntryContext } from "../../platform/context.ts";
import { PRODUCT } from "../frame/frame.ts";
import { html } from "../kit/html.ts";
import { customerChanges } from "./changes.ts";
import { renderMarkdown } from "./markdown.ts";

/** The changelog as an Atom feed, one entry for each version. */
export function changeFeed(context: EntryContext): string {
  const { publicUrl } = context.config;
  const changes = customerChanges();
  const newest =
    changes
      .map(({ at }) => at.toISOString())
      .sort()
      .at(-1) ?? new Date(0).toISOString();
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${PRODUCT}: changelog</title>
<id>${publicUrl}/changelog</id>
<link rel="alternate" type="text/html" href="${publicUrl}/changelog"/>
<link rel="self" type="application/atom+xml" href="${publicUrl}/changelog.xml"/>
<updated>${newest}</updated>
<author><name>${PRODUCT}</name></author>
${changes.map(
  ({ version, at, text }) => html`<entry>
<title>Version ${version}</title>
<id>${publicUrl}/changelog#${entryId(version)}</id>
<link rel="alternate" type="text/html" href="${publicUrl}/changelog#${entryId(version)}"/>
<updated>${at.toISOString()}</updated>
<content type="html" xml:base="${publicUrl}/">${renderMarkdown(context, text).body.text}</content>
</entry>
`,
)}</feed>
`.text;
}

/** The id of the version's heading on the page. */
const entryId = (version: string): string => `version-${version.replaceAll(".", "-")}`;
