import type { Handler } from "../../generated/operations.ts";
import { rotateSecret } from "../../webhooks/endpoints/rotate.ts";

export const rotateWebhookSecret: Handler<"rotateWebhookSecret"> = async (
  { caller, path, body: asked },
  context,
) => {
  const body = await rotateSecret(context, caller.accountId, path.endpoint_id, asked);
  return { status: 200, body };
};
