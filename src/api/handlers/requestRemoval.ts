import type { Handler } from "../../generated/operations.ts";
import { requestRemoval as recordRemoval } from "../../suppression/requests/request.ts";

export const requestRemoval: Handler<"requestRemoval"> = async ({ clientAddress, body }, context) => {
  const recorded = await recordRemoval(context, clientAddress, body);
  return { status: 202, body: recorded };
};
