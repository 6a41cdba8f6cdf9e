import { readFeedChanges as changesOf } from "../../feeds/sync/changes.ts";
import type { Handler } from "../../generated/operations.ts";

export const readFeedChanges: Handler<"readFeedChanges"> = async (
  { caller, path, query, filters },
  context,
) => {
  const body = await changesOf(context, caller, path.code, { ...query, filters });
  return { status: 200, body };
};
