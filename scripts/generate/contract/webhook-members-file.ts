import type { Contract } from "./contract.ts";

/** The members of a webhook endpoint and of its filters with their bounds, for the form that asks for them. */
export function webhookMembersFile({ document }: Contract): string {
  const { WebhookIn, WebhookFilters } = document.components.schemas;
  return `// Written by \`npm run generate\` from openapi.yaml.
export const webhookMembers = ${JSON.stringify(WebhookIn?.properties, null, 2)} as const;
export const filterMembers = ${JSON.stringify(WebhookFilters?.properties, null, 2)} as const;
`;
}
