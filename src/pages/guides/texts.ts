// The documentation as texts for programs: each guide, everything in one text, and the list of all texts.

import { feeds } from "../../generated/feeds.ts";
import type { EntryContext } from "../../platform/context.ts";
import type { Texts } from "./facts.ts";
import { GUIDES } from "./guide-list.ts";
import { markdownTable } from "./markdown-table.ts";
import {
  contractDocument,
  examplesOf,
  type Node,
  type Operation,
  operations,
  resolved,
} from "./operations.ts";

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

/** Every operation and every column of the records as Markdown, from the contract. */
function referenceText({ config }: EntryContext): string {
  const { servers, tags, webhooks } = contractDocument();
  const all = operations();
  const parts = tags.flatMap(({ name, description }) => [
    `## ${name}\n\n${description}`,
    ...all.filter(({ tag }) => tag === name).map((operation) => operationText(config.publicUrl, operation)),
  ]);
  const delivery = webhooks.carrierEvent?.post;
  const deliveryPart = delivery && [
    `## ${delivery.summary}\n\n${delivery.description.trim()}`,
    parameterTable(delivery.parameters ?? []),
    exampleOf("A delivery's body", resolved(delivery.requestBody)),
  ];
  const text = ["# Reference", ...parts, ...(deliveryPart ?? []), recordsText()].filter(Boolean).join("\n\n");
  return text.replaceAll(`${servers[0]?.url}/`, `${config.publicUrl}/`);
}

function operationText(
  address: string,
  { method, path, summary, description, codes, isPublic, source }: Operation,
): string {
  const success = Object.entries(source.responses).find(([status]) => Number(status) < 300);
  const [status = "", answer] = success ?? [];
  return [
    `### ${summary}`,
    `\`${method} ${address}${path}\`${isPublic ? ", without a key" : ""}`,
    description.trim(),
    parameterTable(source.parameters ?? []),
    source.requestBody && exampleOf("Request body", resolved(source.requestBody)),
    answer && `Answer ${status}: ${String(resolved(answer).description)}`,
    answer && exampleOf("For example", resolved(answer)),
    codes.length > 0 && `Problems: ${[...new Set(codes)].map((code) => `\`${code}\``).join(", ")}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function parameterTable(parameters: Node[]): string {
  if (parameters.length === 0) return "";
  return markdownTable(
    ["Parameter", "In", "Required", "Meaning"],
    parameters.map((parameter) => {
      const { name, in: where, required, description, schema } = resolved(parameter);
      const { default: byDefault, enum: words } = resolved(schema) as { default?: unknown; enum?: unknown[] };
      const notes = [
        words && `One of ${words.map((word) => `\`${word}\``).join(", ")}.`,
        byDefault !== undefined && `By default ${byDefault}.`,
      ];
      return [
        `\`${name}\``,
        String(where),
        required ? "yes" : "no",
        [description, ...notes.filter(Boolean)].join(" "),
      ];
    }),
  );
}

/** The first example of a body or an answer. A file that is no text has none worth showing. */
function exampleOf(title: string, body: Node): string {
  const [example] = examplesOf(body);
  const [media = ""] = Object.keys((body.content ?? {}) as object);
  if (example === undefined || media.endsWith("parquet")) return "";
  const language = media === "text/csv" ? "csv" : "json";
  const text = typeof example === "string" ? example.trim() : JSON.stringify(example, null, 2);
  return `${title}:\n\n\`\`\`${language}\n${text}\n\`\`\``;
}

/** The columns of every feed. */
const recordsText = (): string =>
  [
    "## Columns of the records",
    "A column of type `text?` and the like may be null. More columns may be added behind these.",
    ...feeds.map(
      ({ code, name, columns }) =>
        `### ${name}: \`${code}\`\n\n${markdownTable(
          ["Column", "Type", "Meaning"],
          columns.map((column) => [
            `\`${column.name}\``,
            `${column.kind}${column.isNullable ? "?" : ""}`,
            [
              column.meaning,
              column.origin,
              column.words && `${column.kind === "list" ? "Any" : "One"} of ${column.words.join(", ")}.`,
            ]
              .filter(Boolean)
              .join(" "),
          ]),
        )}`,
    ),
  ].join("\n\n");
