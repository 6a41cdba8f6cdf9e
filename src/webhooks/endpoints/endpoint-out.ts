import type { components } from "../../generated/types.ts";

export type WebhookOut = components["schemas"]["WebhookOut"];

/** An endpoint as customers see it: without its secret. */
export interface EndpointShown {
  id: number;
  url: string;
  description: string | null;
  eventTypes: string[];
  active: boolean;
  failureStreak: number;
  disabledReason: string | null;
  secretPrefix: string;
  createdAt: Date;
}

/** An endpoint in the contract's form, without its secret. */
export const endpointOut = (endpoint: EndpointShown): WebhookOut => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes as WebhookOut["event_types"],
  active: endpoint.active,
  failure_streak: endpoint.failureStreak,
  disabled_reason: endpoint.disabledReason,
  secret_prefix: endpoint.secretPrefix,
  created_at: endpoint.createdAt.toISOString(),
});
