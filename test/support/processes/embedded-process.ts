// A program that uses an embedded PostgreSQL, for tests that kill it: it prints the address once it is up, and stops
// normally when its input ends. The arguments are the DATA_DIR and the file of the launcher.
import { once } from "node:events";
import { createLog } from "../../../src/platform/log.ts";

const [, , dataDir = "", launcher = ""] = process.argv;
const { startEmbeddedPostgres } = (await import(
  launcher
)) as typeof import("../../../src/platform/embedded/start.ts");
const settings = { fsync: "off", shared_buffers: "16MB" };
const server = await startEmbeddedPostgres({ dataDir, log: createLog("warn"), settings });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await server.stop();
