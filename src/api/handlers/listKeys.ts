import { listOwnKeys } from "../../accounts/keys/managed-keys.ts";
import type { Handler } from "../../generated/operations.ts";

export const listKeys: Handler<"listKeys"> = async ({ caller, query }, context) => {
  const body = await listOwnKeys(context, caller.accountId, query);
  return { status: 200, body };
};
