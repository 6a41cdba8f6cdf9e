import type { Handler } from "../../generated/operations.ts";
import { readEndpoint } from "../../webhooks/endpoints/endpoints.ts";

export const readWebhook: Handler<"readWebhook"> = async ({ caller, path }, context) => {
  const body = await readEndpoint(context, caller.accountId, path.endpoint_id);
  return { status: 200, body };
};
