import { Marked, type RendererObject, type Tokens } from "marked";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { codeBlock, inlineCode, isLanguage } from "../kit/code-block.ts";
import { Html, html } from "../kit/html.ts";
import { table } from "../kit/table.ts";

export interface RenderedMarkdown {
  body: Html;
  /** The headings of the second level. */
  parts: { id: string; title: string }[];
}

/**
 * Renders Markdown with the components of the pages. Headings get ids, paths of the service become links to this deployment,
 * and HTML in the text is shown as text.
 */
export function renderMarkdown(context: EntryContext, markdown: string): RenderedMarkdown {
  const parts: RenderedMarkdown["parts"] = [];
  const ids = new Set<string>();
  let heading = "";
  let codes = 0;
  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      heading = plain(text);
      const id = freshId(heading, ids);
      if (depth === 2) parts.push({ id, title: heading });
      const level = new Html(`h${depth}`);
      return html`<${level} id="${id}">${new Html(this.parser.parseInline(tokens))}</${level}>\n`.text;
    },
    code({ text, lang }) {
      codes += 1;
      const language = lang !== undefined && isLanguage(lang) ? lang : "text";
      return codeBlock({ id: `code-${codes}`, code: text, language }).text;
    },
    table({ header, rows }) {
      const inline = (cell: Tokens.TableCell | undefined) =>
        new Html(this.parser.parseInline(cell?.tokens ?? []));
      return table<Tokens.TableCell[]>({
        label: heading,
        rows,
        rowsAreCards: true,
        columns: header.map((head, index) => ({
          head: inline(head),
          isNumber: head.align === "right",
          cell: (row) => inline(row[index]),
        })),
      }).text;
    },
    link({ href, tokens }) {
      const target = href.startsWith("/") ? linkTo(context, href) : href;
      return html`<a href="${target}">${new Html(this.parser.parseInline(tokens))}</a>`.text;
    },
    codespan: ({ text }) => inlineCode(text).text,
    html: ({ text }) => html`${text}`.text,
  };
  const body = new Html(new Marked({ renderer }).parse(markdown, { async: false }));
  return { body, parts };
}

const plain = (markdown: string): string => markdown.replaceAll("`", "");

/** An id from the words of a heading, another one each time. */
function freshId(heading: string, taken: Set<string>): string {
  const id = heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const free = taken.has(id) ? `${id}-${taken.size}` : id;
  taken.add(free);
  return free;
}
