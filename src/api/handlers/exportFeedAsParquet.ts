import { exportFeed as exportOf } from "../../feeds/export/export.ts";
import type { Handler } from "../../generated/operations.ts";

export const exportFeedAsParquet: Handler<"exportFeedAsParquet"> = async (input, context) => {
  const { caller, path, query, filters, headers } = input;
  return exportOf(context, caller, path.code, { ...query, ...headers, filters }, { format: "parquet" });
};
