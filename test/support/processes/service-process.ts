// A whole service in a process of its own over a database that stands already; for stories with several processes.
// Arguments: database address and the time its clock stands at. Prints its address; ends with its standard input.
import { once } from "node:events";
import { settableClock } from "../clock.ts";
import { startTestService } from "../service.ts";

const [, , databaseUrl = "", now = ""] = process.argv;
const service = await startTestService({ databaseUrl, clock: settableClock(now) });
process.stdout.write(`${service.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await service.stop();
