import type { Handler } from "../../generated/operations.ts";
import { showDelivery } from "../../webhooks/deliveries/read-delivery.ts";

export const readWebhookDelivery: Handler<"readWebhookDelivery"> = async ({ caller, path }, context) => {
  const asked = { endpointId: path.endpoint_id, deliveryId: path.delivery_id };
  const body = await showDelivery(context, caller.accountId, asked);
  return { status: 200, body };
};
