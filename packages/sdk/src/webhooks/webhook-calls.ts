import { type Call, mapped } from "../answer.ts";
import { ask, askOnce, askUnrepeated, type CallOptions, type Connection } from "../call.ts";
import * as api from "../generated/operations/sdk.gen.ts";
import type {
  DeliveriesOut,
  DeliveryDetailOut,
  DeliveryQueuedOut,
  ListWebhookDeliveriesData,
  ReplayIn,
  ReplayOut,
  RotationIn,
  SecretOut,
  TestDeliveryOut,
  WebhookChange,
  WebhookIn,
  WebhookOut,
  WebhooksOut,
} from "../generated/operations/types.gen.ts";
import { checkOptions } from "../options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "../pages.ts";

/** A webhook endpoint of the account, without its secret. */
export type WebhookEndpoint = Omit<WebhookOut, "secret">;

/** Which deliveries are listed: of a state, of an event type (or `test`), queued in a time. */
export type DeliveryQuery = Omit<NonNullable<ListWebhookDeliveriesData["query"]>, "limit" | "cursor">;

/** The account's webhook endpoints. */
export interface WebhookCalls {
  /** The endpoints, oldest first, and the event types that the plan includes. */
  list(options?: CallOptions): Call<Omit<WebhooksOut, "data"> & { data: WebhookEndpoint[] }>;
  /** Registers an address. Store the `secret`: only this answer has it. */
  create(endpoint: WebhookIn, options?: CallOptions): Call<WebhookEndpoint & { secret: string }>;
  /** One endpoint, active or paused. */
  read(endpointId: number, options?: CallOptions): Call<WebhookEndpoint>;
  /** Changes the members that are given. `active: true` enables a paused endpoint. */
  update(endpointId: number, change: WebhookChange, options?: CallOptions): Call<WebhookEndpoint>;
  /** Pauses an endpoint; nothing is deleted. */
  pause(endpointId: number, options?: CallOptions): Call<void>;
  /** Deletes an endpoint with its secret and history. This can't be undone. */
  delete(endpointId: number, options?: CallOptions): Call<void>;
  /** Queues a signed test delivery. */
  test(endpointId: number, options?: CallOptions): Call<TestDeliveryOut>;
  /**
   * Changes the signing secret, at once or for `overlap_seconds` in which deliveries are also signed with the old one. Store
   * the new one: only this answer has it.
   */
  rotateSecret(endpointId: number, rotation?: RotationIn, options?: CallOptions): Call<SecretOut>;
  /** An endpoint's deliveries with their attempts, newest first. */
  deliveries(endpointId: number, query?: DeliveryQuery, options?: PageOptions): PagedList<DeliveriesOut>;
  /** One delivery with the body that is sent, and the signatures that each attempt sent. */
  delivery(endpointId: number, deliveryId: number, options?: CallOptions): Call<DeliveryDetailOut>;
  /** Queues a delivery again, whatever became of it. */
  resend(endpointId: number, deliveryId: number, options?: CallOptions): Call<DeliveryQueuedOut>;
  /**
   * Counts the deliveries of a range of time; with `dry_run: false` queues them again. While the answer has a `next_cursor`,
   * call it again with that as `cursor`.
   */
  replay(endpointId: number, range: ReplayIn, options?: CallOptions): Call<ReplayOut>;
}

/** The calls of `client.webhooks`. */
export function webhookCalls(connection: Connection): WebhookCalls {
  const to = (endpointId: number) => ({ path: { endpoint_id: endpointId } });
  const at = (endpoint_id: number, delivery_id: number) => ({ path: { endpoint_id, delivery_id } });
  return {
    list: (options) => ask(connection, (sent) => api.listWebhooks(sent), options),
    create: (body, options) =>
      mapped(
        askOnce(connection, (sent) => api.createWebhook({ ...sent, body }), options),
        (made) => ({ ...made, secret: made.secret ?? "" }),
      ),
    read: (id, options) => ask(connection, (sent) => api.readWebhook({ ...sent, ...to(id) }), options),
    update: (id, body, options) =>
      ask(connection, (sent) => api.updateWebhook({ ...sent, ...to(id), body }), options),
    pause: (id, options) =>
      mapped(
        ask(connection, (sent) => api.pauseWebhook({ ...sent, ...to(id) }), options),
        nothing,
      ),
    delete: (id, options) => {
      const asked = { ...to(id), query: { permanent: true } };
      // Sent twice, it would answer that there is no such endpoint.
      return mapped(
        askUnrepeated(connection, (sent) => api.pauseWebhook({ ...sent, ...asked }), options),
        nothing,
      );
    },
    test: (id, options) => askOnce(connection, (sent) => api.testWebhook({ ...sent, ...to(id) }), options),
    rotateSecret: (id, body = {}, options) =>
      askOnce(connection, (sent) => api.rotateWebhookSecret({ ...sent, ...to(id), body }), options),
    deliveries: (id, query = {}, how = {}) => {
      checkOptions(how, PAGE_OPTIONS);
      const { pageSize: limit = 1000, ...options } = how;
      return listByCursor((cursor) => {
        const asked = { ...to(id), query: { ...query, limit, ...cursor } };
        return ask(connection, (sent) => api.listWebhookDeliveries({ ...sent, ...asked }), options);
      });
    },
    delivery: (id, deliveryId, options) =>
      ask(connection, (sent) => api.readWebhookDelivery({ ...sent, ...at(id, deliveryId) }), options),
    resend: (id, deliveryId, options) =>
      askOnce(connection, (sent) => api.resendWebhookDelivery({ ...sent, ...at(id, deliveryId) }), options),
    replay: (id, body, options) => {
      const send = body.dry_run === false ? askOnce : ask;
      return send(connection, (sent) => api.replayWebhook({ ...sent, ...to(id), body }), options);
    },
  };
}

const nothing = (): void => {};
