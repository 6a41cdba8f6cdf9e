import type { Context } from "../../../src/platform/context.ts";
import { until } from "../webhooks/dispatching.ts";

/** Waits until no export holds a slot: what it did not send is refunded by then. */
export const untilExportsEnd = ({ db }: Context): Promise<void> =>
  until(async () => (await db.pool.query("SELECT FROM export_slot")).rowCount === 0);
