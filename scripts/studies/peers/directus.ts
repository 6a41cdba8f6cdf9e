import { randomUUID } from "node:crypto";
import type { Bench } from "../../bench/frame/bench.ts";
import { VERSIONS } from "./packages.ts";
import type { Peer } from "./peer.ts";
import { runInPeer, startPeer } from "./start-peer.ts";

const CLI = "node_modules/directus/cli.js";

/** Directus on the table of records, asked with an administrator's token: it then checks no permission of a field. */
export async function startDirectus(bench: Bench, folder: string, databaseUrl: string): Promise<Peer> {
  const token = randomUUID();
  const settings = {
    DB_CLIENT: "pg",
    DB_CONNECTION_STRING: databaseUrl,
    KEY: randomUUID(),
    SECRET: randomUUID(),
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD: randomUUID(),
    ADMIN_TOKEN: token,
    PUBLIC_URL: "http://127.0.0.1",
    LOG_LEVEL: "error",
    TELEMETRY: "false",
    // It would refuse requests while it is busy.
    PRESSURE_LIMITER_ENABLED: "false",
  };
  await runInPeer(folder, [CLI, "bootstrap"], settings);
  const url = await startPeer(bench, folder, {
    name: "directus",
    args: [CLI, "start"],
    settings,
    readyPath: "/server/ping",
  });
  const page = (number: number) => `/items/records?sort=pos&limit=100&page=${number}`;
  return {
    name: `Directus ${VERSIONS.directus}`,
    url,
    headers: { Authorization: `Bearer ${token}` },
    page,
    filteredPage: (number, states) => `${page(number)}&filter[state][_in]=${states.join(",")}`,
    csv: "/items/records?sort=pos&limit=-1&export=csv",
  };
}
