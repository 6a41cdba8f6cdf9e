import type { Handler } from "../../generated/operations.ts";
import { updateEndpoint } from "../../webhooks/endpoints/update.ts";

export const updateWebhook: Handler<"updateWebhook"> = async ({ caller, path, body: change }, context) => {
  const body = await updateEndpoint(context, caller, path.endpoint_id, change);
  return { status: 200, body };
};
