import { readEvents } from "../../events/read.ts";
import type { Handler } from "../../generated/operations.ts";

export const listEvents: Handler<"listEvents"> = async ({ caller, query }, context) => {
  const body = await readEvents(context, caller, query);
  return { status: 200, body };
};
