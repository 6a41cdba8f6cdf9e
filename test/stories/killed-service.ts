import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { feedRecord, publishFeed } from "../support/feeds/published-feed.ts";
import { putRegistryRow } from "../support/registry/registry-rows.ts";
import { type OptOutIn, optOut } from "../support/removals/opt-outs.ts";
import { startTestService } from "../support/service.ts";

const SCRIPT = fileURLToPath(new URL("../support/processes/service-process.ts", import.meta.url));
const FIRST = 3_000_000;
const MINUTE_MS = 60_000;

/**
 * Kills a service (signal 9) the moment it has answered a removal request, again and again: by USDOT number, docket,
 * phone and e-mail in turn. Another service over the same database never serves what was asked away.
 */
export async function expectHeldThroughKills(kills: number): Promise<void> {
  const survivor = await startTestService();
  try {
    const { context, clock } = survivor;
    await context.db.transaction(async (client) => {
      for (let place = 0; place <= kills; place++) {
        const usdot = FIRST + place;
        await putRegistryRow(client, "census", { usdot, phone: phoneOf(place), email: emailOf(place) });
        await putRegistryRow(client, "motus_carrier", { usdot, docket: `MC${usdot}` });
      }
    });
    const records = Array.from({ length: kills + 1 }, (_, place) =>
      feedRecord("us_brokers", { dot_number: String(FIRST + place) }),
    );
    await publishFeed(context.db, "us_brokers", { records, asOf: "2026-11-20", now: clock.now() });
    const { key } = await survivor.createAccount({
      feeds: { us_brokers: null },
      requestsPerMinute: 1_000_000,
      rowsPerMonth: 1_000_000,
    });
    const url = context.config.databaseUrl ?? "";
    for (let kill = 0; kill < kills; kill++) {
      // Each in a minute of its own: an address may not ask without end.
      const now = new Date(clock.now().getTime() + kill * MINUTE_MS).toISOString();
      await killWhenAnswered(url, now, (BODIES[kill % BODIES.length] as Body)(kill));
    }

    const served: string[] = [];
    for (let place = 0; place <= kills; place++) {
      const answer = await survivor.get(`/v1/carriers/${FIRST + place}`, key);
      if (answer.status !== 404) served.push(String(FIRST + place));
    }
    expect(served).toEqual([String(FIRST + kills)]);
  } finally {
    await survivor.stop();
  }
}

const phoneOf = (place: number): string => `512${2_000_000 + place}`;
const emailOf = (place: number): string => `dispatch${place}@example.com`;

type Body = (place: number) => OptOutIn;
const BODIES: readonly Body[] = [
  (place) => ({ usdot: String(FIRST + place) }),
  (place) => ({ mc: `MC-${FIRST + place}` }),
  (place) => ({ phone: phoneOf(place) }),
  (place) => ({ email: emailOf(place), requester_email: emailOf(place) }),
];

/** Asks a service in a process of its own for a removal, and kills it when that is answered. */
async function killWhenAnswered(databaseUrl: string, now: string, body: OptOutIn): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, now], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const [address] = await Promise.race([once(child.stdout, "data"), ended]);
    await optOut(String(address).trim(), body);
  } finally {
    child.kill("SIGKILL");
  }
  await ended;
}
