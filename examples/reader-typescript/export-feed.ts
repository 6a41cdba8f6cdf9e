// Saves a whole feed as one file: `node export-feed.ts us_brokers parquet`. The format is csv, ndjson or parquet.
// A download that breaks goes on where it ended. Run it with Node 22.18 or newer; ../README.md lists the settings.
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import {
  createClient,
  type ExportFormat,
  type FeedCode,
  TruckingDataFeedError,
} from "@trucking-data-feed/sdk";
import { settings } from "./settings.ts";

const [feed = "us_brokers", format = "csv"] = process.argv.slice(2);
const tdf = createClient({
  ...settings,
  userAgent: "export-feed/1.0",
  // A large Parquet file is made before its first byte.
  timeoutMs: 300_000,
});

try {
  const options = { format: format as ExportFormat };
  const { body, fileName, checkpoint } = await tdf.openExport(feed as FeedCode, {}, options);
  await pipeline(body, createWriteStream(`${fileName}.part`));
  await rename(`${fileName}.part`, fileName);
  console.error(`${fileName}: version ${checkpoint?.version}, ${checkpoint?.rows} rows.`);
} catch (error) {
  if (!(error instanceof TruckingDataFeedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
