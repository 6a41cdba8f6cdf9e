import { feeds } from "../../generated/feeds.ts";
import type { EntryContext } from "../../platform/context.ts";
import { markdownTable } from "./markdown-table.ts";
import {
  contractDocument,
  examplesOf,
  type Node,
  type Operation,
  operations,
  resolved,
} from "./operations.ts";

/** Every operation and every column of the records as Markdown, from the contract. */
export function referenceText({ config }: EntryContext): string {
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
              column.words && `${column.kind === "list" ? "Any" : "One"} of ${column.words.join(", ")}.`,
            ]
              .filter(Boolean)
              .join(" "),
          ]),
        )}`,
    ),
  ].join("\n\n");
