import { operationTable } from "../generated/operations.ts";
import { toolSources } from "../generated/tools.ts";

const toolOfRequest: ReadonlyMap<string, string> = new Map(
  toolSources.map(({ operation, name }) => {
    const { method, path } = operationTable[operation];
    return [`${method} ${path}`, name];
  }),
);

// No tool takes an export: an agent reads the records instead.
const READ_ALL = `Read all records with ${toolOfRequest.get("GET /v1/feeds/{code}/records")}, $1their version`;

/**
 * The text with the tool's name in the place of each request that a tool stands for, such as `GET /v1/usage`, and in the place
 * of an export.
 */
export const inToolWords = (text: string): string =>
  text
    .replace(/[A-Z]+ \/v1\/[\w/{}.-]*[\w}]/g, (request) => toolOfRequest.get(request) ?? request)
    .replace(/Take an export, (.*?)its version/, READ_ALL);
