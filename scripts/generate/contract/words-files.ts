import { type Contract, type Reference, resolve, type Schema } from "./contract.ts";

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

/**
 * The words in which a pattern is told to whoever sends a request that breaks it. Throws for a pattern without words, and
 * for words without a pattern.
 */
export function patternWordsFile({ document, operations }: Contract): string {
  const patternsIn = (node: Schema | Reference): string[] => {
    const { pattern = [], items = [], properties = {}, anyOf = [] } = resolve<Schema>(document, node);
    return [pattern, [items, anyOf, Object.values(properties)].flat().flatMap(patternsIn)].flat();
  };
  const parameters = operations.flatMap(({ parameters, members }) => [...parameters, ...members]);
  const used = new Set(parameters.flatMap(({ schema }) => patternsIn(schema)));
  const words = document["x-patterns"];
  const told = [...used].map((pattern) => [pattern, withoutBlanks(pattern)] as const);
  const odd = [...new Set(told.map(([, plain]) => plain)).symmetricDifference(new Set(Object.keys(words)))];
  if (odd.length > 0)
    throw new Error(
      `x-patterns must have words for the patterns of requests, and no others: ${odd.join(" ")}`,
    );
  return `// Written by \`npm run generate\` from openapi.yaml (x-patterns).
export const patternWords: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(told.map(([pattern, plain]) => [pattern, words[plain]])), null, 2)};
`;
}

/** A pattern that takes blanks around a text, without them. */
const withoutBlanks = (pattern: string): string => pattern.replace(/^\^ \*([^|]+) \*\$$/, "^$1$");
