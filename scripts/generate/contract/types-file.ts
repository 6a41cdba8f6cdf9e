import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Contract } from "./contract.ts";

/** The contract's schemas and operations as TypeScript types. */
export async function typesFile({ document }: Contract): Promise<string> {
  // A default is the meaning of a missing member, not a promise that the member is present.
  const nodes = await openapiTypescript(document as unknown as OpenAPI3, { defaultNonNullable: false });
  return `// Written by \`npm run generate\` from openapi.yaml.\n${astToString(nodes)}`;
}
