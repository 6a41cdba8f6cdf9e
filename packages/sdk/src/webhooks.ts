import { type Connection, call } from "./call.ts";
import * as api from "./generated/operations/sdk.gen.ts";
import type {
  SecretOut,
  TestDeliveryOut,
  WebhookIn,
  WebhookOut,
  WebhooksOut,
} from "./generated/operations/types.gen.ts";

/** A call's own options. */
export interface CallOptions {
  /** Stops the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** How a secret is rotated. */
export interface RotationOptions extends CallOptions {
  /** For so long deliveries are also signed with the old secret; 0 unless given, at most 86,400. */
  overlapSeconds?: number;
}

/** A webhook endpoint of the account, without its secret. */
export type WebhookEndpoint = Omit<WebhookOut, "secret">;

/** The account's webhook endpoints. */
export interface WebhookCalls {
  /** The endpoints, oldest first, and the event types that the plan includes. */
  list(options?: CallOptions): Promise<Omit<WebhooksOut, "data"> & { data: WebhookEndpoint[] }>;
  /** Registers an address. Store the `secret`: only this answer has it. */
  create(endpoint: WebhookIn, options?: CallOptions): Promise<WebhookEndpoint & { secret: string }>;
  /** Pauses an endpoint; nothing is deleted. */
  pause(endpointId: number, options?: CallOptions): Promise<void>;
  /** Queues a signed test delivery. */
  test(endpointId: number, options?: CallOptions): Promise<TestDeliveryOut>;
  /**
   * Changes the signing secret, at once or with an overlap in which deliveries are also signed with the old one. Store the
   * new one: only this answer has it.
   */
  rotateSecret(endpointId: number, options?: RotationOptions): Promise<SecretOut>;
}

/** The calls of `client.webhooks`. */
export function webhookCalls(connection: Connection): WebhookCalls {
  const to = (endpointId: number) => ({ path: { endpoint_id: endpointId } });
  return {
    list: async ({ signal } = {}) => {
      const manner = { signal, isRepeatable: true };
      return (await call(connection, (sent) => api.listWebhooks(sent), manner)).data;
    },
    create: async (body, { signal } = {}) => {
      const manner = { signal, isRepeatable: false };
      const { data } = await call(connection, (sent) => api.createWebhook({ ...sent, body }), manner);
      return { ...data, secret: data.secret ?? "" };
    },
    pause: async (endpointId, { signal } = {}) => {
      const manner = { signal, isRepeatable: true };
      await call(connection, (sent) => api.pauseWebhook({ ...sent, ...to(endpointId) }), manner);
    },
    test: async (endpointId, { signal } = {}) => {
      const manner = { signal, isRepeatable: false };
      return (await call(connection, (sent) => api.testWebhook({ ...sent, ...to(endpointId) }), manner)).data;
    },
    rotateSecret: async (endpointId, { signal, overlapSeconds } = {}) => {
      const manner = { signal, isRepeatable: false };
      const body = overlapSeconds === undefined ? {} : { body: { overlap_seconds: overlapSeconds } };
      const { data } = await call(
        connection,
        (sent) => api.rotateWebhookSecret({ ...sent, ...to(endpointId), ...body }),
        manner,
      );
      return data;
    },
  };
}
