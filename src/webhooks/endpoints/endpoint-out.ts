import type { components } from "../../generated/types.ts";
import { filtersOf, filtersOut, type Payload, type StoredFilters } from "./filters.ts";

export type WebhookOut = components["schemas"]["WebhookOut"];

/** An endpoint as customers see it: without its secret. */
export interface EndpointShown extends StoredFilters {
  id: number;
  url: string;
  description: string | null;
  eventTypes: string[];
  active: boolean;
  failureStreak: number;
  disabledReason: string | null;
  secretPrefix: string;
  createdAt: Date;
  payload: string;
  honorRetryAfter: boolean;
  previousSecretUntil: Date | null;
}

/** An endpoint in the contract's form, without its secret. */
export const endpointOut = (endpoint: EndpointShown, now: Date): WebhookOut => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes as WebhookOut["event_types"],
  active: endpoint.active,
  failure_streak: endpoint.failureStreak,
  disabled_reason: endpoint.disabledReason,
  secret_prefix: endpoint.secretPrefix,
  created_at: endpoint.createdAt.toISOString(),
  filters: filtersOut(filtersOf(endpoint)),
  payload: endpoint.payload as Payload,
  honor_retry_after: endpoint.honorRetryAfter,
  previous_secret_valid_until: validUntil(endpoint, now),
});

/** Until when deliveries are also signed with the secret before; null outside the overlap of a rotation. */
export const validUntil = (
  { previousSecretUntil: until }: Pick<EndpointShown, "previousSecretUntil">,
  now: Date,
): string | null => (until !== null && until > now ? until.toISOString() : null);
