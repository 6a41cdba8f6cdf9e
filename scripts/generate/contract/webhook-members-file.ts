import type { Contract } from "./contract.ts";

/** The members of a webhook endpoint, of its filters, of a watchlist and of a key's rotation with their bounds, for those who ask for them. */
export function webhookMembersFile({ document }: Contract): string {
  const { WebhookIn, WebhookFilters, WatchlistIn, KeyRotationIn } = document.components.schemas;
  return `// Written by \`npm run generate\` from openapi.yaml.
export const webhookMembers = ${JSON.stringify(WebhookIn?.properties, null, 2)} as const;
export const filterMembers = ${JSON.stringify(WebhookFilters?.properties, null, 2)} as const;
export const watchlistMembers = ${JSON.stringify(WatchlistIn?.properties, null, 2)} as const;
export const rotationMembers = ${JSON.stringify(KeyRotationIn?.properties, null, 2)} as const;
`;
}
