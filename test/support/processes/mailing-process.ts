// A separate process that queues the daily mails of changes, for tests over several processes. Arguments: database address
// and the fixed time of its clock. It sends "ready" when it is connected, queues at the first message, and ends.
import { once } from "node:events";
import { mailChanges } from "../../../src/carriers/watch-mail.ts";
import { settableClock } from "../clock.ts";
import { openTestContext } from "../context.ts";

const [, , url = "", now = ""] = process.argv;
const context = await openTestContext(url, settableClock(now));
process.send?.("ready");
await once(process, "message");
await mailChanges(context);
await context.db.close();
process.disconnect?.();
