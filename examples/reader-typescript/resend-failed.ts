// Sends failed webhook deliveries again: `node resend-failed.ts 12 2026-11-20T00:00:00Z` those of endpoint 12 that were
// queued since then. It enables the endpoint first, which many failures pause. Run it with Node 22.18 or newer;
// ../README.md lists the settings.
import { createClient, TruckingDataFeedError } from "@trucking-data-feed/sdk";
import { settings } from "./settings.ts";

const [endpoint = "", from = ""] = process.argv.slice(2);
const { webhooks } = createClient({ ...settings, userAgent: "resend-failed/1.0" });
/** The business was removed since, or the plan or the endpoint has no such deliveries any more. */
const LEFT_OUT: readonly string[] = ["not_found", "not_subscribed"];

try {
  const { id, url } = await webhooks.update(Number(endpoint), { active: true });
  let count = 0;
  let skipped = 0;
  for await (const { delivery_id, is_test } of webhooks.deliveries(id, {
    status: "failed",
    ...(from && { from }),
  })) {
    if (is_test) continue;
    try {
      await webhooks.resend(id, delivery_id);
      count += 1;
    } catch (error) {
      if (!(error instanceof TruckingDataFeedError && LEFT_OUT.includes(error.code))) throw error;
      skipped += 1;
    }
  }
  const rest = skipped > 0 ? ` ${skipped} cannot be sent any more.` : "";
  console.error(`${count} deliveries to ${url} are queued again.${rest}`);
} catch (error) {
  if (!(error instanceof TruckingDataFeedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
