// A separate process that serves the API and asks it again and again over several connections, for a test of what its
// answers leave behind: Vitest has more in its heap. Arguments: database address, key and path. It prints how many bytes
// each answer left in V8's space for old objects.
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { startTestService } from "../service.ts";

const [, , databaseUrl = "", key = "", path = ""] = process.argv;
const { gc: collect } = globalThis;
if (collect === undefined) throw new Error("Start this program with --expose-gc.");
const CONNECTIONS = 16;
const ROUNDS = 200;
/** Now and then young objects are collected while answers are under way, which makes old objects of these. */
const COLLECT_EVERY = 50;

const service = await startTestService({ databaseUrl });
const sockets = Array.from({ length: CONNECTIONS }, () => connect(service.port, "127.0.0.1"));
await askOften();
const before = oldBytes();
await askOften();
process.stdout.write(String(Math.round((oldBytes() - before) / (ROUNDS * CONNECTIONS))));
for (const socket of sockets) socket.destroy();
await service.stop();

/** Asks over each connection at once, and waits for all answers, which must be 200 and fit one packet. */
async function askOften(): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const answers = sockets.map((socket) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
      return once(socket, "data");
    });
    await setImmediate();
    // An object is old after the second collection.
    if (round % COLLECT_EVERY === 0) for (let times = 0; times < 3; times++) collect?.({ type: "minor" });
    for (const [answer] of await Promise.all(answers))
      if (!String(answer).startsWith("HTTP/1.1 200 ")) throw new Error(`An answer was ${answer}`);
  }
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space");
  if (old === undefined) throw new Error("V8 has no space of this name.");
  return old.space_used_size;
}
