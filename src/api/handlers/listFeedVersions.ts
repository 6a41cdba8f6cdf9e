import { listFeedVersions as versionsOf } from "../../feeds/sync/steps.ts";
import type { Handler } from "../../generated/operations.ts";

export const listFeedVersions: Handler<"listFeedVersions"> = async ({ caller, path, query }, context) => {
  const body = await versionsOf(context, caller, path.code, query);
  return { status: 200, body };
};
