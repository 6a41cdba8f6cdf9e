import { revokeManagedKey } from "../../accounts/keys/managed-keys.ts";
import type { Handler } from "../../generated/operations.ts";

export const revokeKey: Handler<"revokeKey"> = async ({ caller, path }, context) => {
  await revokeManagedKey(context, caller, path.key_id);
  return { status: 204, body: null };
};
