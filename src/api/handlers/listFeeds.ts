import { listFeeds as feedsOf } from "../../feeds/versions/feeds-list.ts";
import type { Handler } from "../../generated/operations.ts";

export const listFeeds: Handler<"listFeeds"> = async ({ caller }, context) => {
  const body = await feedsOf(context, caller);
  return { status: 200, body };
};
