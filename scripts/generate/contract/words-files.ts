import type { Contract } from "./contract.ts";

/** The scopes of keys, in the order of the contract. */
export function scopesFile({ document }: Contract): string {
  const scopes = Object.entries(document["x-scopes"]).map(
    ([scope, { label, allows, on_request = false }]) => [scope, { label, allows, isOnRequest: on_request }],
  );
  return `// Written by \`npm run generate\` from openapi.yaml (x-scopes).
export const scopes = ${JSON.stringify(Object.fromEntries(scopes), null, 2)} as const;

export type Scope = keyof typeof scopes;
`;
}

/** What a request in test mode may ask to be answered under, in words of the guide. */
export const testSituationsFile = ({ document }: Contract): string =>
  `// Written by \`npm run generate\` from openapi.yaml (x-test-situations).
export const testSituations = ${JSON.stringify(document["x-test-situations"], null, 2)} as const;
`;
