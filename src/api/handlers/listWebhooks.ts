import type { Handler } from "../../generated/operations.ts";
import { readEndpoints } from "../../webhooks/endpoints/endpoints.ts";

export const listWebhooks: Handler<"listWebhooks"> = async ({ caller }, context) => {
  const body = await readEndpoints(context, caller);
  return { status: 200, body };
};
