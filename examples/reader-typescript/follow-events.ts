// Prints events as JSON lines, and goes on with new ones until it is stopped. The next start continues where this one ended.
// Run `node follow-events.ts` with Node 22.18 or newer; ../README.md lists the settings.
import { readFile, rename, writeFile } from "node:fs/promises";
import { createClient, TruckingDataFeedError } from "@trucking-data-feed/sdk";
import { settings } from "./settings.ts";

const { CURSOR_FILE = "events.cursor" } = process.env;
const tdf = createClient({
  ...settings,
  userAgent: "follow-events/1.0",
  onRetry: ({ error, waitMs }) =>
    console.error(`${error.message} Trying again in ${Math.round(waitMs / 1000)} s.`),
});
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const events = tdf.events({
  type: ["insurance_cancellation_suspension", "revocation_pending", "reinstated"],
  cursor: await readFile(CURSOR_FILE, "utf8").catch(() => null),
  follow: true,
  signal: stop.signal,
});
try {
  for await (const { data, meta } of events.pages()) {
    for (const { id, type, usdot, data: details } of data) {
      console.log(JSON.stringify({ id, type, usdot, company: details?.legal_name ?? null }));
    }
    // After the page was handled: a crash before this line repeats the page, and loses nothing.
    await writeFile(`${CURSOR_FILE}.tmp`, meta.resume_cursor);
    await rename(`${CURSOR_FILE}.tmp`, CURSOR_FILE);
  }
} catch (error) {
  if (!(error instanceof TruckingDataFeedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
