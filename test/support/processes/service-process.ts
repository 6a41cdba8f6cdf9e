// A whole service in a separate process on an existing database, for stories with several processes. Arguments:
// database address, the fixed time of its clock, and "without-files" if it has no place for files of rows. Prints its
// address; ends with its standard input.
import { once } from "node:events";
import { settableClock } from "../clock.ts";
import { blockRowCache } from "../feeds/row-cache.ts";
import { startTestService } from "../service.ts";

const [, , databaseUrl = "", now = "", files = ""] = process.argv;
const service = await startTestService({ databaseUrl, clock: settableClock(now) });
if (files === "without-files") await blockRowCache(service.context);
process.stdout.write(`${service.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await service.stop();
