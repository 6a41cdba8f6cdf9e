import { readCorrections } from "../../events/corrections.ts";
import type { Handler } from "../../generated/operations.ts";

export const listEventCorrections: Handler<"listEventCorrections"> = async ({ caller, query }, context) => {
  const body = await readCorrections(context, caller, query);
  return { status: 200, body };
};
