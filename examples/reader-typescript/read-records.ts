// Prints the records of a feed as JSON lines: `node read-records.ts TX OK` prints the brokers of two states.
// Run it with Node 22.18 or newer; ../README.md lists the settings.
import { createClient, TruckingDataFeedError, VersionEndedError } from "@trucking-data-feed/sdk";
import { settings } from "./settings.ts";

const states = process.argv.slice(2);
const tdf = createClient({ ...settings, userAgent: "read-records/1.0" });

try {
  // All pages come from one version of the feed, also when a newer one is published meanwhile.
  const filters = states.length === 0 ? {} : { state: states };
  for await (const { dot_number, company, entity_type, state } of tdf.records("us_brokers", filters)) {
    console.log(JSON.stringify({ dot_number, company, entity_type, state }));
  }
  const { limits } = await tdf.usage();
  console.error(`${limits.api_rows_left} rows are left this month.`);
} catch (error) {
  if (!(error instanceof TruckingDataFeedError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof VersionEndedError ? 75 : 1;
}
