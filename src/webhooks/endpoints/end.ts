import type { Context } from "../../platform/context.ts";
import { deleteEndpoint } from "./delete.ts";
import { pauseByCustomer } from "./pause.ts";

/** Pauses an endpoint for its account, or deletes it with its secret and history. ProblemError not_found. */
export async function endEndpoint(
  context: Context,
  accountId: number,
  { endpointId, isPermanent }: { endpointId: number; isPermanent: boolean },
): Promise<void> {
  const end = isPermanent ? deleteEndpoint : pauseByCustomer;
  await end(context, accountId, endpointId);
}
