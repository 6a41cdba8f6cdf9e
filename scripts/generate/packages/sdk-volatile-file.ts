import type { Contract } from "../contract/contract.ts";
import { feedFacts } from "../contract/feeds.ts";

/** How the volatile columns of all feeds follow from a record and its version. */
export function sdkVolatileFile(contract: Contract): string {
  const columns = feedFacts(contract).feeds.flatMap((feed) => feed.columns);
  const volatile = columns.flatMap((column) => (column.volatile ? [[column.name, column.volatile]] : []));
  return `// Written by \`npm run generate\` from openapi.yaml: x-volatile of each column.
export const volatileColumns: Readonly<Record<string, { verified_on: string } | { days_since: string }>> = ${JSON.stringify(Object.fromEntries(volatile))};
`;
}
