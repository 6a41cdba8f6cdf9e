// A dispatcher in a process of its own, for stories that kill or stop it. Argument: the time its clock stands at, or none
// for the real one; settings come from the environment. Says "ready"; ends, in good order, with its standard input.
import { once } from "node:events";
import { configFrom, readEnvironment } from "../../../src/platform/config/config.ts";
import { openContext } from "../../../src/platform/open-context.ts";
import { startDispatcher } from "../../../src/webhooks/dispatcher.ts";
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
