import type { Handler } from "../../generated/operations.ts";
import { replayByRequest } from "../../webhooks/replay/replay-by-request.ts";

export const replayWebhook: Handler<"replayWebhook"> = async ({ caller, path, body: asked }, context) => {
  const body = await replayByRequest(context, caller.accountId, path.endpoint_id, asked);
  return { status: 200, body };
};
