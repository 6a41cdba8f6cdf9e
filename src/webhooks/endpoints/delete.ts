import type { Context } from "../../platform/context.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { lockAccount } from "./account-limits.ts";
import { noSuchEndpoint } from "./endpoints.ts";
import * as sql from "./statements.ts";

/**
 * Deletes an endpoint for good, its secret and its history with it. From the commit on nothing is sent, test deliveries
 * included, and nobody finds the endpoint or any of its deliveries; a dispatcher erases the rows soon after. What is in
 * flight ends. ProblemError not_found.
 */
export async function deleteEndpoint(context: Context, accountId: number, endpointId: number): Promise<void> {
  await context.db.transaction(async (client) => {
    // A test delivery that is being queued, or an endpoint that is being enabled, is done before or finds nothing.
    await lockAccount(client, accountId);
    const now = context.clock.now();
    const { rowCount } = await sql.deleteEndpoint.run(client, { endpointId, accountId, now });
    if (rowCount === 0) throw noSuchEndpoint();
    await cancelQueued(client, { endpointId, reason: "deleted", now });
  });
}
