import { readWatchedChanges } from "../../carriers/watched-changes.ts";
import type { Handler } from "../../generated/operations.ts";

export const listCarrierChanges: Handler<"listCarrierChanges"> = async ({ caller, query }, context) => {
  const body = await readWatchedChanges(context, caller, query);
  return { status: 200, body };
};
