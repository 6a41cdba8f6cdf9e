import { readEvent as eventOf } from "../../events/read.ts";
import type { Handler } from "../../generated/operations.ts";

export const readEvent: Handler<"readEvent"> = async ({ caller, path }, context) => {
  const body = await eventOf(context, caller, path.event_id);
  return { status: 200, body };
};
