import type { Contract } from "./contract.ts";

/** Every problem code of the contract with its status, title and meaning. */
export function problemsFile({ document }: Contract): string {
  return `// Written by \`npm run generate\` from openapi.yaml (x-problems).
export const problems = ${JSON.stringify(document["x-problems"], null, 2)} as const;
`;
}
