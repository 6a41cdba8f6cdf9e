// Keeps a copy of a feed that equals the service's: `node sync-feed.ts us_brokers TX` with Node 22.18 or newer.
// Run it as often as you like, for example daily. ../README.md lists the settings.
import { createClient, type FeedCode, TruckingDataFeedError } from "@trucking-data-feed/sdk";
import { settings } from "./settings.ts";

const { FOLDER = "." } = process.env;
const [feed = "us_brokers", ...state] = process.argv.slice(2);
const tdf = createClient({ ...settings, userAgent: "sync-feed/1.0" });

try {
  const done = await tdf.syncFeed(FOLDER, feed as FeedCode, state.length === 0 ? {} : { state });
  console.log(JSON.stringify(done));
} catch (error) {
  if (!(error instanceof TruckingDataFeedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
