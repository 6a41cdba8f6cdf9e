import { readFileSync, statSync } from "node:fs";
import { dayOf } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { PRODUCT } from "../frame/frame.ts";
import { html } from "../kit/html.ts";
import { renderMarkdown } from "./markdown.ts";

const FILE = new URL("../../../CHANGELOG.md", import.meta.url);

/** What a version brought its customers. */
export interface Change {
  version: string;
  /** When it was published; of a version without a date, when this installation got it. */
  at: Date;
  isPublished: boolean;
  /** Markdown lists under their headings. */
  text: string;
}

let changes: readonly Change[] | undefined;

/** What customers notice of each version in CHANGELOG.md, the newest first. Operators read the file itself. */
function customerChanges(): readonly Change[] {
  changes ??= changesIn(readFileSync(FILE, "utf8"), statSync(FILE).mtime);
  return changes;
}

const changesIn = (changelog: string, installedAt: Date): Change[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = ""] = part.split("\n");
      const [version = "", note = ""] = heading.split(", ");
      const [, text = ""] = /^For customers:\n\n([\s\S]*?)(?=^For operators:|(?![\s\S]))/m.exec(part) ?? [];
      const isPublished = /^\d{4}-\d\d-\d\d$/.test(note);
      return { version, at: isPublished ? new Date(note) : installedAt, isPublished, text: text.trim() };
    })
    .filter(({ text }) => text !== "");

/** All changes, as a part of a guide. */
export const changesText = (): string =>
  customerChanges()
    .map((change, index) =>
      [
        `## Version ${change.version}`,
        // Versions without a day of their own came with this installation.
        (change.isPublished || index === 0) && sinceWhen(change),
        change.text.replace(LEAD_IN, "- **$1** "),
      ]
        .filter(Boolean)
        .join("\n\n"),
    )
    .join("\n\n");

/** What a long point begins with, up to its first colon or full stop. A line break before the next point stays. */
const LEAD_IN = /^- ([^:.\n]{3,70}[:.])\s(?!- )(?=(?:(?!\n- |\n\n)[\s\S]){120})/gm;

const sinceWhen = ({ at, isPublished }: Change): string =>
  `${isPublished ? "Published" : "On this installation since"} ${dayOf(at)}.`;

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
