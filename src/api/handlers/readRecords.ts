import { readRecords as recordsOf } from "../../feeds/records/records.ts";
import type { Handler } from "../../generated/operations.ts";

export const readRecords: Handler<"readRecords"> = async (input, context) => {
  const { caller, path, query, filters, headers } = input;
  return recordsOf(context, caller, path.code, { ...query, ...headers, filters });
};
