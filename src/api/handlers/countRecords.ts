import { countRecords as countOf } from "../../feeds/records/count.ts";
import type { Handler } from "../../generated/operations.ts";

export const countRecords: Handler<"countRecords"> = async ({ caller, path, query, filters }, context) => {
  const body = await countOf(context, caller, path.code, { ...query, filters });
  return { status: 200, body };
};
