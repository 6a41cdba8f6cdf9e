// A whole service in a separate process on an existing database, for stories with several processes. Arguments:
// database address and the fixed time of its clock. Prints its address; ends with its standard input.
import { once } from "node:events";
import { settableClock } from "../clock.ts";
import { startTestService } from "../service.ts";

const [, , databaseUrl = "", now = ""] = process.argv;
const service = await startTestService({ databaseUrl, clock: settableClock(now) });
process.stdout.write(`${service.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await service.stop();
