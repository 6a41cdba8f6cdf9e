import { type Contract, type Operation, type Reference, resolve, type Schema } from "./contract.ts";

type Document = Contract["document"];
type Node = Schema | Reference;

/** Members that src/mcp/tool-answers.ts adds to the answer of an operation. */
const COST: Schema = {
  type: "object",
  properties: { rows: { type: "integer" }, requests: { type: "integer" }, rows_left: { type: "integer" } },
};
const PAGING = ["has_more", "next_cursor"];

/** What a tool answers: the members of its operation's answer in their types, or an error. */
export function outputSchemaOf(document: Document, { id, responses }: Operation) {
  const [, response] = responses.find(([status]) => status === 200) ?? [];
  const { schema } = (response?.content?.["application/json"] ?? {}) as { schema?: Node };
  const { properties: members } = schema ? leanOf(document, schema, 0) : {};
  if (members === undefined) throw new Error(`openapi.yaml: ${id} answers no JSON, so it can be no tool.`);
  const { cost: reading_cost, ...others } = members;
  const body = { ...others, ...(reading_cost && { reading_cost }) };
  const isPaged = PAGING.some((name) => name in body);
  return {
    type: "object" as const,
    properties: {
      ...body,
      ...(isPaged && { next: { type: ["object", "null"] } }),
      cost: COST,
      error: { type: "object" },
    },
    required: ["cost"],
    anyOf: [{ required: Object.keys(body) }, { required: ["error"] }],
  };
}

/** The types of an answer down to the members of its members: a model has to read every word of it. */
function leanOf(document: Document, node: Node, depth: number): Schema {
  const schema = resolve<Schema>(document, node);
  if (schema.anyOf) return { type: typesOf(schema.anyOf.map((each) => leanOf(document, each, 2))) };
  const { type = "object", items, properties } = schema;
  if (depth > 1) return { type };
  const members = Object.entries(properties ?? {});
  return {
    type,
    ...(items && { items: leanOf(document, items, depth) }),
    ...(members.length > 0 && {
      properties: Object.fromEntries(
        members.map(([name, member]) => [name, leanOf(document, member, depth + 1)]),
      ),
    }),
  };
}

function typesOf(schemas: Schema[]): string | string[] {
  const types = [...new Set(schemas.flatMap(({ type = [] }) => type))];
  const [only] = types;
  return types.length === 1 && only !== undefined ? only : types;
}
