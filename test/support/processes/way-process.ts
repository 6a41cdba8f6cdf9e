// A way to a database in a separate process, so that the load of a story does not slow it. Arguments: the databases'
// addresses. Sends its own address; each message that it gets is the list of addresses to lead to from now on.
import { movableWayTo } from "../network/tcp-proxy.ts";

const [, , ...databaseUrls] = process.argv;
const way = await movableWayTo(...(databaseUrls as [string, ...string[]]));
process.on("message", (next) => {
  way.leadTo(...(next as string[]));
  process.send?.("done");
});
process.on("disconnect", () => void way.close().then(() => process.exit()));
process.send?.(way.url);
