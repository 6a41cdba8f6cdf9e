import type { IRouter, Request, Response } from "express";
import { routePage } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { demoKeyFor } from "../frame/demo-key-for.ts";
import { sendSitePage } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { sendBytes } from "../frame/send.ts";
import { type Html, html } from "../kit/html.ts";
import { pager } from "../kit/navigation.ts";
import { changeFeed } from "./changes.ts";
import { guideTexts, type Texts } from "./facts.ts";
import { GUIDES, type Guide } from "./guide-list.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { contents, guideText, wholeText } from "./texts.ts";

const MARKDOWN = "text/markdown; charset=utf-8";

/** Routes the guides as pages and as Markdown, the texts for programs, and the feed of changes. */
export function routeGuides(app: IRouter, context: EntryContext): void {
  const textsFor = async (request: Request) => guideTexts(context, await demoKeyFor(context, request));
  const text = (path: string, type: string, make: (texts: Texts) => string) => {
    const bytesOf = oncePerTexts((texts) => Buffer.from(make(texts)));
    routePage(app, context, path, "docs", async (request, response) =>
      sendBytes(request, response, { type, bytes: bytesOf(await textsFor(request)) }),
    );
  };
  for (const guide of GUIDES) {
    const rendered = oncePerTexts((texts) => renderMarkdown(context, texts.get(guide.name) ?? ""));
    routePage(app, context, guide.path, "docs", async (request, response) =>
      sendGuide(context, response, guide, rendered(await textsFor(request))),
    );
    text(`${guide.path}.md`, MARKDOWN, (texts) => guideText(context, texts.get(guide.name) ?? ""));
  }
  text("/docs.md", MARKDOWN, (texts) => wholeText(context, texts));
  text("/llms.txt", "text/plain; charset=utf-8", () => contents(context));
  text("/changelog.xml", "application/atom+xml; charset=utf-8", () => changeFeed(context));
}

/** Makes a value once for the same texts: rendering and compressing take longer than sending. */
function oncePerTexts<T>(make: (texts: Texts) => T): (texts: Texts) => T {
  const made = new WeakMap<Texts, { value: T }>();
  return (texts) => {
    const known = made.get(texts) ?? { value: make(texts) };
    made.set(texts, known);
    return known.value;
  };
}

function sendGuide(
  context: EntryContext,
  response: Response,
  guide: Guide,
  { body, parts }: RenderedMarkdown,
): void {
  sendSitePage(context, response, "text", {
    title: guide.title,
    here: guide.name === "changelog" ? guide.path : "/docs/start",
    head: html`<link rel="alternate" type="text/markdown" href="${linkTo(context, `${guide.path}.md`)}" title="${guide.title}">
${
  guide.name === "changelog" &&
  html`<link rel="alternate" type="application/atom+xml" href="${linkTo(context, "/changelog.xml")}" title="Changelog">
`
}`,
    body: html`<div class="guide">
<nav aria-label="Guides">
${menu(context, guide, parts)}</nav>
<details>
<summary>Guides</summary>
${menu(context, guide, [])}</details>
<article>
${body}${neighbours(context, guide)}
</article>
</div>`,
  });
}

/** The list of guides. */
const menu = (context: EntryContext, guide: Guide, parts: RenderedMarkdown["parts"]): Html => html`<ul>
${GUIDES.map((each) => menuEntry(context, each, each === guide ? parts : null))}<li><a href="${linkTo(context, "/docs")}">API reference</a></li>
</ul>
`;

/** A guide in the list of guides; the shown one with its parts. */
const menuEntry = (
  context: EntryContext,
  { path, title }: Guide,
  parts: RenderedMarkdown["parts"] | null,
): Html => html`<li><a href="${linkTo(context, path)}"${parts && html` aria-current="page"`}>${title}</a>${
  parts !== null &&
  parts.length > 0 &&
  html`
<ul>
${parts.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>\n`)}</ul>`
}</li>
`;

function neighbours(context: EntryContext, guide: Guide): Html | null {
  const index = GUIDES.indexOf(guide);
  const link = (to: Guide | undefined) =>
    to !== undefined && { href: linkTo(context, to.path), name: to.title };
  return pager({ newest: link(GUIDES[index - 1]), older: link(GUIDES[index + 1]) });
}
