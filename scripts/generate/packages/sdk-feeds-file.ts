import type { Contract } from "../contract/contract.ts";
import { feedFacts } from "../contract/feeds.ts";

/** The record type and the filters of each feed, as types. */
export function sdkFeedsFile(contract: Contract): string {
  const { feeds } = feedFacts(contract);
  const schemas = Object.entries(contract.document.components.schemas);
  const schemaOf = (code: string) => schemas.find(([, schema]) => schema["x-feed"] === code)?.[0] ?? "";
  const records = feeds.map(({ code }) => `  ${code}: types.${schemaOf(code)};`);
  const filters = feeds.map(({ code, allowedFilters }) => `  ${code}: ${unionOf(allowedFilters)};`);
  return `// Written by \`npm run generate\` from openapi.yaml.
import type * as types from "./operations/types.gen.ts";

/** The record type of each feed. */
export interface FeedRecords {
${records.join("\n")}
}

/** The filters that each feed allows. */
export interface FeedFilterNames {
${filters.join("\n")}
}
`;
}

const unionOf = (names: readonly string[]): string =>
  names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
