import { listSources as sourcesOf } from "../../feeds/sources-list.ts";
import type { Handler } from "../../generated/operations.ts";

export const listSources: Handler<"listSources"> = async (_input, context) => {
  const body = await sourcesOf(context);
  return { status: 200, body };
};
