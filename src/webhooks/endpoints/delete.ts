import type { Context } from "../../platform/context.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { lockAccount } from "./account-limits.ts";
import { noSuchEndpoint } from "./endpoints.ts";
import * as sql from "./statements.ts";

/**
 * Deletes an endpoint with its secret and history. After the commit no attempt starts, not even a test, and nobody finds
 * the endpoint or its deliveries. Attempts in flight still end. A dispatcher erases the rows later. ProblemError not_found.
 */
export async function deleteEndpoint(context: Context, accountId: number, endpointId: number): Promise<void> {
  await context.db.transaction(async (client) => {
    // Queueing a test and enabling take this lock too: they end before, or find no endpoint.
    await lockAccount(client, accountId);
    const now = context.clock.now();
    const { rowCount } = await sql.deleteEndpoint.run(client, { endpointId, accountId, now });
    if (rowCount === 0) throw noSuchEndpoint();
    await cancelQueued(client, { endpointId, reason: "deleted", now });
  });
}
