import type { Handler } from "../../generated/operations.ts";
import { sendAgain } from "../../webhooks/deliveries/resend.ts";

export const resendWebhookDelivery: Handler<"resendWebhookDelivery"> = async ({ caller, path }, context) => {
  const asked = { endpointId: path.endpoint_id, deliveryId: path.delivery_id };
  const body = await sendAgain(context, caller.accountId, asked);
  return { status: 202, body };
};
