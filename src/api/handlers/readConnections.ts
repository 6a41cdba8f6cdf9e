import { readConnections as connectionsOf } from "../../carriers/carrier-connections.ts";
import type { Handler } from "../../generated/operations.ts";

export const readConnections: Handler<"readConnections"> = async ({ caller, path, query }, context) => {
  const body = await connectionsOf(context, caller, path.dot, query);
  return { status: 200, body };
};
