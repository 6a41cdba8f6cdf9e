import { operationTable } from "../generated/operations.ts";
import { toolSources } from "../generated/tools.ts";

const toolOfRequest: ReadonlyMap<string, string> = new Map(
  toolSources.map(({ operation, name }) => {
    const { method, path } = operationTable[operation];
    return [`${method} ${path}`, name];
  }),
);

/** The text with the tool's name in the place of each request that a tool stands for, such as `GET /v1/usage`. */
export const inToolWords = (text: string): string =>
  text.replace(/[A-Z]+ \/v1\/[\w/{}.-]*[\w}]/g, (request) => toolOfRequest.get(request) ?? request);
