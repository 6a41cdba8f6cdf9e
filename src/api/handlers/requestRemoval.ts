import { requestRemovalFromFeeds } from "../../feeds/versions/feeds-list.ts";
import type { Handler } from "../../generated/operations.ts";

export const requestRemoval: Handler<"requestRemoval"> = async ({ clientAddress, body }, context) => {
  const recorded = await requestRemovalFromFeeds(context, clientAddress, body);
  return { status: 202, body: recorded };
};
