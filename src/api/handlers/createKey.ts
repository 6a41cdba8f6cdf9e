import { createManagedKey } from "../../accounts/keys/managed-keys.ts";
import type { Handler } from "../../generated/operations.ts";

export const createKey: Handler<"createKey"> = async ({ caller, body: asked }, context) => {
  const body = await createManagedKey(context, caller, asked);
  return { status: 201, body };
};
