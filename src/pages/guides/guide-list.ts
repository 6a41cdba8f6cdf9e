import { readFileSync } from "node:fs";

export interface Guide {
  /** Of its file, and of its address. */
  name: GuideName;
  /** The address of the page. With `.md` it is that of the text. */
  path: string;
  title: string;
  /** Its first sentence: what the reader learns. */
  summary: string;
  /** Markdown with the names of facts, as `{{feeds}}`. */
  source: string;
}

/** In the order of reading. */
const NAMES = [
  "start",
  "reading",
  "sync",
  "webhooks",
  "trial",
  "testing",
  "sdk",
  "quotas",
  "errors",
  "agents",
  "changelog",
] as const;
export type GuideName = (typeof NAMES)[number];

/** Every guide, in the order of reading. */
export const GUIDES: readonly Guide[] = NAMES.map((name) => {
  const source = readFileSync(new URL(`${name}.md`, import.meta.url), "utf8");
  const [, title = "", opening = ""] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(source) ?? [];
  return {
    name,
    path: name === "changelog" ? "/changelog" : `/docs/${name}`,
    title,
    summary: linkless(opening).split(/(?<=\.) /)[0] ?? "",
    source,
  };
});

/** A text without line breaks, links and marks. */
function linkless(markdown: string): string {
  return markdown
    .replaceAll("\n", " ")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("`", "");
}
