// The documentation as texts for programs: each guide, everything in one text, and the list of all texts.
import type { EntryContext } from "../../platform/context.ts";
import { GUIDES } from "./guide-list.ts";
import type { Texts } from "./guides.ts";
import { contractDocument } from "./operations.ts";
import { referenceText } from "./reference-text.ts";

/** A guide as a text of its own: links have the whole address, and lead to texts where there are any. */
export const guideText = ({ config }: EntryContext, markdown: string): string =>
  markdown.replace(/\]\((\/[^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = "") => {
    const isGuide = GUIDES.some((guide) => guide.path === path);
    return `](${config.publicUrl}${path}${isGuide ? ".md" : anchor})`;
  });

/** All guides and every operation as one text. */
export function wholeText(context: EntryContext, texts: Texts): string {
  const { title, summary } = contractDocument().info;
  const parts = [...GUIDES.map(({ name }) => texts.get(name) ?? ""), referenceText(context)];
  const text = `# ${title}\n\n${summary}\n\n${parts.map((part) => lowered(part.trim())).join("\n\n")}\n`;
  return guideText(context, text);
}

/** A text whose headings are a level lower. Code stays as it is. */
const lowered = (markdown: string): string =>
  markdown
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? part.replace(/^#/gm, "##") : part))
    .join("");

/** The list of all texts, as https://llmstxt.org describes it. */
export function contents({ config }: EntryContext): string {
  const { title, summary } = contractDocument().info;
  const link = (name: string, path: string, about: string) =>
    `- [${name}](${config.publicUrl}${path}): ${about}`;
  const guides = GUIDES.filter(({ name }) => name !== "changelog");
  return `# ${title}

> ${summary}

Send an API key in the header \`X-API-Key\`. Reading these texts needs none. Tools over MCP are at ${config.publicUrl}/mcp.

## Guides

${guides.map(({ title: name, path, summary: about }) => link(name, `${path}.md`, about)).join("\n")}

## Reference

${link("Everything in one text", "/docs.md", "all guides and every operation, with its parameters and errors.")}
${link("The contract", "/openapi.yaml", "OpenAPI 3.1, with every schema and example.")}

## Optional

${link("The contract as JSON", "/openapi.json", "the same as openapi.yaml.")}
${GUIDES.filter(({ name }) => name === "changelog")
  .map(({ title: name, path, summary: about }) => link(name, `${path}.md`, about))
  .join("\n")}
`;
}
