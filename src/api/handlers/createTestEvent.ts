import { makeTestEvent } from "../../events/test-event.ts";
import type { Handler } from "../../generated/operations.ts";

export const createTestEvent: Handler<"createTestEvent"> = async ({ caller, body: asked }, context) => {
  const body = await makeTestEvent(context, caller, asked);
  return { status: 201, body };
};
