import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { type OptOutIn, optOut } from "../../support/removals/opt-outs.ts";
import { startTestService } from "../../support/service.ts";

const SCRIPT = fileURLToPath(new URL("../../support/processes/service-process.ts", import.meta.url));
const FIRST = 3_000_000;
const MINUTE_MS = 60_000;

/**
 * Kills a service (signal 9) the moment it has answered a removal request, again and again: by USDOT number, docket,
 * phone and e-mail in turn. Another service on the same database never serves a removed business.
 */
export async function expectHeldThroughKills(kills: number): Promise<void> {
  const survivor = await startTestService();
  try {
    const { context, clock } = survivor;
    await context.db.transaction(async (client) => {
      for (let index = 0; index <= kills; index++) {
        const usdot = FIRST + index;
        await putRegistryRow(client, "census", { usdot, phone: phoneOf(index), email: emailOf(index) });
        await putRegistryRow(client, "motus_carrier", { usdot, docket: `MC${usdot}` });
      }
    });
    const records = Array.from({ length: kills + 1 }, (_, index) =>
      feedRecord("us_brokers", { dot_number: String(FIRST + index) }),
    );
    await publishFeed(context.db, "us_brokers", { records, asOf: "2026-11-20", now: clock.now() });
    const { key } = await survivor.createAccount({
      feeds: { us_brokers: null },
      requestsPerMinute: 1_000_000,
      rowsPerMonth: 1_000_000,
    });
    const url = context.config.databaseUrl ?? "";
    for (let kill = 0; kill < kills; kill++) {
      // Each in another minute: the requests of an address are limited.
      const now = new Date(clock.now().getTime() + kill * MINUTE_MS).toISOString();
      await killWhenAnswered(url, now, (BODIES[kill % BODIES.length] as Body)(kill));
    }

    const served: string[] = [];
    for (let index = 0; index <= kills; index++) {
      const answer = await survivor.get(`/v1/carriers/${FIRST + index}`, key);
      if (answer.status !== 404) served.push(String(FIRST + index));
    }
    expect(served).toEqual([String(FIRST + kills)]);
  } finally {
    await survivor.stop();
  }
}

const phoneOf = (index: number): string => `512${2_000_000 + index}`;
const emailOf = (index: number): string => `dispatch${index}@example.com`;

type Body = (index: number) => OptOutIn;
const BODIES: readonly Body[] = [
  (index) => ({ usdot: String(FIRST + index) }),
  (index) => ({ mc: `MC-${FIRST + index}` }),
  (index) => ({ phone: phoneOf(index) }),
  (index) => ({ email: emailOf(index), requester_email: emailOf(index) }),
];

/** Sends a removal request to a service in another process, and kills that service after the answer. */
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
