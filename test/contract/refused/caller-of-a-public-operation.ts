// refused: Property 'caller' does not exist on type
import type { Handler } from "../../../src/generated/operations.ts";

export const requestRemoval: Handler<"requestRemoval"> = async ({ caller }) => ({
  status: 202,
  body: { request_id: caller.accountId, status: "suppressed" },
});
