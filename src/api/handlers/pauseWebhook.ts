import type { Handler } from "../../generated/operations.ts";
import { pauseByCustomer } from "../../webhooks/endpoints/pause.ts";

export const pauseWebhook: Handler<"pauseWebhook"> = async ({ caller, path }, context) => {
  await pauseByCustomer(context, caller.accountId, path.endpoint_id);
  return { status: 204, body: null };
};
