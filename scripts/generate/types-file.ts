import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Contract } from "./contract.ts";

/** The contract's schemas and operations as TypeScript types. */
export async function typesFile({ document }: Contract): Promise<string> {
  // A default is what a missing member means, not a promise that it is there.
  const nodes = await openapiTypescript(document as unknown as OpenAPI3, { defaultNonNullable: false });
  return `// Written by \`npm run generate\` from openapi.yaml.\n${astToString(nodes)}`;
}
