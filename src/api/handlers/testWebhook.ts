import type { Handler } from "../../generated/operations.ts";
import { queueTestDelivery } from "../../webhooks/deliveries/test-delivery.ts";

export const testWebhook: Handler<"testWebhook"> = async ({ caller, path }, context) => {
  const body = await queueTestDelivery(context, caller.accountId, path.endpoint_id);
  return { status: 202, body };
};
