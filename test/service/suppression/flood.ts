import { expect } from "vitest";
import { watchRemovals } from "../../../src/suppression/status.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { newAddress, type OptOutIn, optOut, removalList } from "../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const FIRST_USDOT = 3_000_000;
const phoneOf = (place: number): string => `${512 + Math.floor(place / 1_000_000)}${2_000_000 + place}`;

/** As many at once as a person with many machines would send. */
const AT_ONCE = 40;

async function sendAll<T>(
  items: readonly T[],
  send: (item: T, place: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let place = next++; place < items.length; place = next++) await send(items[place] as T, place);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** A feed of so many businesses, each with a phone of its own, and two services that let an address ask without end. */
async function openFlooded(businesses: number) {
  const { log, lines } = memoryLog();
  const env = { TRUST_PROXY_HOPS: "1", OPT_OUT_PER_MINUTE: "10000" };
  const service = await startTestService({ log, env });
  const { clock } = service;
  const databaseUrl = service.context.config.databaseUrl ?? "";
  const second = await startTestService({ log, env, databaseUrl, clock });
  await service.context.db.bulkPool.query(
    `INSERT INTO census (usdot, status_code, general_freight, phone)
     SELECT usdot, 'A', false, phone FROM unnest($1::int[], $2::text[]) AS company (usdot, phone)`,
    [
      Array.from({ length: businesses }, (_, place) => FIRST_USDOT + place),
      Array.from({ length: businesses }, (_, place) => phoneOf(place)),
    ],
  );
  const records = Array.from({ length: businesses }, (_, place) =>
    feedRecord("us_brokers", { dot_number: String(FIRST_USDOT + place) }),
  );
  await publishFeed(service.context.db, "us_brokers", {
    records,
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  const urls = [service.url, second.url];
  return {
    service,
    lines,
    ask: (body: OptOutIn, place: number, address?: string) =>
      optOut(urls[place % urls.length] ?? "", body, address),
    stop: async () => {
      await second.stop();
      await service.stop();
    },
  };
}

const hiddenCount = async (service: TestService): Promise<number> =>
  (await removalList(service.context)).businesses.length;

/** Thousands ask by phone for others' removal, from many addresses: no more go than the brake lets. */
export async function expectBrake({ businesses, requests, clients }: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask: send } = await openFlooded(businesses ?? 0);
  try {
    const addresses = Array.from({ length: clients ?? 0 }, newAddress);
    const places = Array.from({ length: requests ?? 0 }, (_, place) => place);
    const ask = (body: OptOutIn, place: number) => send(body, place, addresses[place % addresses.length]);
    await sendAll(places, (place) => ask({ phone: phoneOf(place) }, place));
    const most = Math.max(50, Math.floor((businesses ?? 0) * 0.005)) + 1;
    expect(await hiddenCount(service)).toBe(most);
    const waits = await service.context.db.pool.query(
      "SELECT FROM removal_identifier WHERE state = 'waiting'",
    );
    expect(waits.rowCount).toBe((requests ?? 0) - most);
    // One for each that waits, and one for the burst.
    expect(lines().filter(({ level }) => level === "error")).toHaveLength((requests ?? 0) - most + 1);

    // One business by its number still goes at once, and a day later contacts do too.
    await ask({ usdot: String(FIRST_USDOT + (requests ?? 0)) }, 0);
    expect(await hiddenCount(service)).toBe(most + 1);
    service.clock.advance(86_400_000 + 1_000);
    await ask({ phone: phoneOf((requests ?? 0) + 1) }, 0);
    expect(await hiddenCount(service)).toBe(most + 2);
  } finally {
    await stop();
  }
}

/** Many are removed by number within seconds: all at once, and operators hear of it once, by log and metrics. */
export async function expectAlarm({ businesses, requests }: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask } = await openFlooded(businesses ?? 0);
  try {
    watchRemovals(service.context);
    const alarms = () => lines().filter(({ level, feeds }) => level === "error" && feeds !== undefined);
    const metric = async (name: string) => {
      const text = await (await service.get("/metrics")).text();
      return Number(new RegExp(`^${name}\\{feed="us_brokers"\\} (\\d+)$`, "m").exec(text)?.[1]);
    };
    const burst = (first: number) =>
      sendAll(
        Array.from({ length: requests ?? 0 }, (_, place) => String(FIRST_USDOT + first + place)),
        (usdot, place) => ask({ usdot }, place),
      );
    await ask({ usdot: String(FIRST_USDOT) }, 0);
    expect(await metric("tdf_removals_braked")).toBe(0);
    expect(alarms()).toEqual([]);

    await burst(1);
    expect(await hiddenCount(service)).toBe((requests ?? 0) + 1);
    expect(alarms()).toMatchObject([{ feeds: [{ feed: "us_brokers", rows: businesses }] }]);
    expect(await metric("tdf_removals_last_day")).toBe((requests ?? 0) + 1);
    expect(await metric("tdf_removals_braked")).toBe(1);

    // A day later it is news again.
    service.clock.advance(86_400_000 + 1_000);
    expect(await metric("tdf_removals_braked")).toBe(0);
    await burst((requests ?? 0) + 1);
    expect(alarms()).toHaveLength(2);
  } finally {
    await stop();
  }
}

/** Thousands of requests that name others' addresses: each has one mail at most, and all together a number of them. */
export async function expectNoMailBomb({
  requests,
  mailboxes,
  clients,
}: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask: send } = await openFlooded(1);
  try {
    const addresses = Array.from({ length: clients ?? 0 }, newAddress);
    const ask = (requester_email: string, place: number) =>
      send({ usdot: "1", requester_email }, place, addresses[place % addresses.length]);
    const mails = async () => {
      const { rows } = await service.context.db.pool.query<{ recipient: string; count: number }>(
        "SELECT recipient, count(*) FROM mail_outbox GROUP BY recipient",
      );
      return rows;
    };
    const victims = Array.from(
      { length: requests ?? 0 },
      (_, place) => `v${place % (mailboxes ?? 1)}@example.com`,
    );
    await sendAll(victims, ask);
    const sent = await mails();
    expect(sent.length).toBe(Math.min(mailboxes ?? 0, 200));
    expect(sent.every(({ count }) => count === 1)).toBe(true);
    await sendAll(
      Array.from({ length: 200 }, (_, place) => `w${place}@example.com`),
      (victim, place) => send({ usdot: "1", requester_email: victim }, place),
    );
    expect(await mails()).toHaveLength(200);
    expect(
      lines().filter(({ level, mailsPerHour }) => level === "error" && mailsPerHour === 200),
    ).toHaveLength(1);
    service.clock.advance(3_600_000);
    await ask("later@example.com", 0);
    expect(await mails()).toHaveLength(201);
  } finally {
    await stop();
  }
}
