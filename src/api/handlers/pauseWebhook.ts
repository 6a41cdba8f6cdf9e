import type { Handler } from "../../generated/operations.ts";
import { endEndpoint } from "../../webhooks/endpoints/pause-or-delete.ts";

export const pauseWebhook: Handler<"pauseWebhook"> = async ({ caller, path, query }, context) => {
  const asked = { endpointId: path.endpoint_id, isPermanent: query.permanent };
  await endEndpoint(context, caller.accountId, asked);
  return { status: 204, body: null };
};
