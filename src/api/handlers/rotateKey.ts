import { rotateKey as rotate } from "../../accounts/keys/managed-keys.ts";
import type { Handler } from "../../generated/operations.ts";

export const rotateKey: Handler<"rotateKey"> = async ({ caller, path, body: asked }, context) => {
  const body = await rotate(context, caller, path.key_id, asked);
  return { status: 200, body };
};
