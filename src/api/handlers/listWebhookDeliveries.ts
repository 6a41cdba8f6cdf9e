import type { Handler } from "../../generated/operations.ts";
import { readDeliveries } from "../../webhooks/deliveries/deliveries-page.ts";

export const listWebhookDeliveries: Handler<"listWebhookDeliveries"> = async (
  { caller, path, query },
  context,
) => {
  const body = await readDeliveries(context, caller.accountId, path.endpoint_id, query);
  return { status: 200, body };
};
