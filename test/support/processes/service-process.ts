// A whole service in a separate process on an existing database, for stories with several processes. Arguments:
// database address, the fixed time of its clock, and "without-files" if it has no place for files of rows. Prints its
// address; ends with its standard input. Each line of that is another time, which it prints when its clock shows it.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { settableClock } from "../clock.ts";
import { blockRowCache } from "../feeds/row-cache.ts";
import { startTestService } from "../service.ts";

const [, , databaseUrl = "", now = "", files = ""] = process.argv;
const service = await startTestService({ databaseUrl, clock: settableClock(now) });
if (files === "without-files") await blockRowCache(service.context);
process.stdout.write(`${service.url}\n`);
const lines = createInterface({ input: process.stdin });
lines.on("line", (time) => {
  service.clock.set(time);
  process.stdout.write(`${time}\n`);
});
await once(lines, "close");
await service.stop();
