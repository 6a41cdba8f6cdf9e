import type { Contract, Operation, Parameter, Schema } from "./contract.ts";
import { outputSchemaOf } from "./output-schema.ts";

/** The largest list that an AI agent chooses from well. */
const MOST_TOOLS = 12;

/** The tools of the MCP server, as `x-mcp` declares them; throws where it contradicts the rest of the contract. */
export function toolFacts({ document, operations }: Contract) {
  const describing = operations.find(({ mcp }) => mcp?.takes_filters);
  const tools = operations.flatMap((operation) =>
    operation.mcp === undefined
      ? []
      : [toolOf(document, operation, operation.mcp, { describesFilters: operation === describing })],
  );
  const names = new Set(tools.map(({ name }) => name));
  if (names.size !== tools.length || names.size > MOST_TOOLS)
    throw new Error(`openapi.yaml: x-mcp must give at most ${MOST_TOOLS} tools, each a name of its own.`);
  return { instructions: document["x-mcp"].instructions, tools };
}

/** What `x-mcp` says of one operation. */
export interface ToolSource {
  tool: string;
  description: string;
  /** Whether it changes nothing although it is no GET: it takes what it reads by in its body. */
  reads?: true;
  /** The parameters, or members of the body, that a call may give, each with what is different for a tool. */
  arguments?: Record<string, Schema>;
  /** Whether it may give the filters too. Only the first tool that takes them describes them. */
  takes_filters?: true;
}

function toolOf(
  document: Contract["document"],
  operation: Operation,
  source: ToolSource,
  { describesFilters }: { describesFilters: boolean },
) {
  const feedCodes = Object.keys(document["x-feeds"]);
  const filters = source.takes_filters ? operation.parameters.filter((each) => each["x-filter"]) : [];
  const own = filters.map(({ name }) => [name, document["x-mcp"].filters[name] ?? {}] as const);
  if ((operation.method !== "GET" && !source.reads) || operation.isPublic || !operation.isLive)
    throw new Error(
      `openapi.yaml: ${operation.id} cannot be a tool. A tool reads, with a key, and is served.`,
    );
  const offered = [...Object.entries(source.arguments ?? {}), ...own].map(([name, changes]) => {
    const parameter = [...operation.parameters, ...operation.members].find((each) => each.name === name);
    if (parameter === undefined)
      throw new Error(`openapi.yaml: x-mcp of ${operation.id} names ${name}, which it does not take.`);
    const { description, ...undescribed } = argumentOf(parameter, changes, feedCodes);
    const isDescribed = describesFilters || !parameter["x-filter"];
    return { parameter, schema: isDescribed ? { ...undescribed, description } : undescribed };
  });
  return {
    name: source.tool,
    operation: operation.id,
    title: operation.summary,
    description: source.description,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(offered.map(({ parameter, schema }) => [parameter.name, schema])),
      required: offered.flatMap(({ parameter: { name, required } }) => (required ? [name] : [])),
      additionalProperties: false,
    },
    outputSchema: outputSchemaOf(document, operation),
  };
}

/** A parameter as a model reads it. The feed is one of a list, and a filter names the feeds that allow it. */
function argumentOf(parameter: Parameter, changes: Schema, feedCodes: string[]): Schema {
  const { type, items, ...rest } = { ...parameter.schema, ...changes };
  const feeds = parameter["x-feeds"];
  const allowed =
    feeds === undefined || feeds.length === feedCodes.length ? "" : ` Only ${feeds.join(", ")}.`;
  return {
    type: type ?? "string",
    ...withoutWidth(rest),
    ...(items && { items: withoutWidth(items) }),
    ...(parameter.name === "code" && { enum: feedCodes }),
    description: `${changes.description ?? parameter.description ?? ""}${allowed}`,
  };
}

/** Leaves out what tells a model nothing: the width of a whole number, and what a list's items mean. */
function withoutWidth({ format, maximum, description: _, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(format !== undefined && !format.startsWith("int") && { format }),
    ...(maximum !== undefined && maximum < LARGEST_INT32 && { maximum }),
  };
}

const LARGEST_INT32 = 2_147_483_647;
