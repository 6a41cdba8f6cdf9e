import type { Handler } from "../../generated/operations.ts";
import { createEndpoint } from "../../webhooks/endpoints/create.ts";

export const createWebhook: Handler<"createWebhook"> = async ({ caller, body }, context) => {
  const endpoint = await createEndpoint(context, caller, body);
  return { status: 201, body: endpoint };
};
