import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { faultOf } from "../api/contract/problems.ts";
import { type Operation, operationTable } from "../generated/operations.ts";
import { type ToolSource, toolSources } from "../generated/tools.ts";
import type { Fault } from "../platform/http/invalid-request.ts";
import { inTypeOf } from "./lenient.ts";

/** Arguments of a tool call, by the names of the operation's parameters. */
export type Arguments = Record<string, unknown>;

/** A tool, and the operation that it runs. */
export interface Tool {
  name: string;
  operation: Operation;
  /** What `tools/list` shows. */
  definition: Omit<ToolSource, "operation"> & { annotations: object };
  /** The arguments in the types of the schema, with its defaults, and what is wrong with them. */
  read(args: Arguments): { args: Arguments; faults: Fault[] };
}

/** By name, in the order of the contract. */
export type Tools = ReadonlyMap<string, Tool>;

/** The tools that the contract declares. */
export function declaredTools(): Tools {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true });
  addFormats.default(ajv);
  return new Map(
    toolSources.map(({ operation, ...source }) => [
      source.name,
      {
        name: source.name,
        operation: operationTable[operation],
        definition: { ...source, annotations: { readOnlyHint: true, openWorldHint: false } },
        read: readerOf(ajv, source),
      },
    ]),
  );
}

// The library's own validator does not say which argument is unknown. Ours is compiled at a tool's first call: most
// processes never see one, and compiling the validators of all tools took half of the time that opening the API takes.
function readerOf(ajv: Ajv2020, { inputSchema }: Pick<ToolSource, "inputSchema">): Tool["read"] {
  let validate: ValidateFunction | undefined;
  return (sent) => {
    validate ??= ajv.compile({ type: "object", properties: { arguments: inputSchema } });
    const judged = { arguments: inTypesOf(inputSchema, sent) };
    const faults = validate(judged) ? [] : (validate.errors ?? []).map((error) => faultOf(error, judged));
    return { args: judged.arguments, faults };
  };
}

const inTypesOf = ({ properties = {} }: ToolSource["inputSchema"], sent: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, inTypeOf(Object(properties[name]), value)]),
  );
