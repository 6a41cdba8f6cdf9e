import type { Contract } from "./contract.ts";

/** The handlers of the live operations, each from the file with its operationId. */
export function handlersFile({ operations }: Contract): string {
  const ids = operations.filter(({ isLive }) => isLive).map(({ id }) => id);
  return `// Written by \`npm run generate\` from openapi.yaml: the handler of each live operation.
${ids.map((id) => `import { ${id} } from "../api/handlers/${id}.ts";`).join("\n")}
import type { Handlers } from "./operations.ts";

export const handlers: Handlers = {
${ids.map((id) => `  ${id},`).join("\n")}
};
`;
}
