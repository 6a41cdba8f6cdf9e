// A dispatcher in a separate process, for stories that kill or stop it. Argument: the fixed time of its clock, or none
// for the real one; settings come from the environment. Prints "ready"; stops gracefully when its standard input ends.
import { once } from "node:events";
import { configFrom, readEnvironment } from "../../../src/platform/config/config.ts";
import { openContext } from "../../../src/platform/opening/open-context.ts";
import { startDispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { settableClock } from "../clock.ts";

const [, , now] = process.argv;
const overrides = now ? { clock: settableClock(now) } : {};
const { context, close } = await openContext(configFrom(readEnvironment()), overrides);
const dispatcher = startDispatcher(context, { pollMs: 25 });
process.stdout.write("ready\n");
process.stdin.resume();
await once(process.stdin, "end");
await dispatcher.stop();
await close();
