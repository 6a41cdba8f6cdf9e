import { readTimeline as timelineOf } from "../../carriers/timeline/timeline.ts";
import type { Handler } from "../../generated/operations.ts";

export const readTimeline: Handler<"readTimeline"> = async ({ caller, path, query }, context) => {
  const body = await timelineOf(context, caller, path.dot, query);
  return { status: 200, body };
};
