import { expect } from "vitest";
import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import { watchRemovals } from "../../../src/suppression/status.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { newAddress, type OptOutIn, optOut, removalList } from "../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const FIRST_USDOT = 3_000_000;
const phoneOf = (index: number): string => `${512 + Math.floor(index / 1_000_000)}${2_000_000 + index}`;

/** As many at once as a person with many machines could send. */
const AT_ONCE = 40;

async function sendAll<T>(
  items: readonly T[],
  send: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) await send(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** A feed of so many businesses, each with its own phone, and two services without a limit of requests per address. */
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
      Array.from({ length: businesses }, (_, index) => FIRST_USDOT + index),
      Array.from({ length: businesses }, (_, index) => phoneOf(index)),
    ],
  );
  const records = Array.from({ length: businesses }, (_, index) =>
    feedRecord("us_brokers", { dot_number: String(FIRST_USDOT + index) }),
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
    ask: (body: OptOutIn, index: number, address?: string) =>
      optOut(urls[index % urls.length] ?? "", body, address),
    stop: async () => {
      await second.stop();
      await service.stop();
    },
  };
}

const hiddenCount = async (service: TestService): Promise<number> =>
  (await removalList(service.context)).businesses.length;

/** Thousands of requests by phone for the removal of others, from many addresses: the brake limits them. */
export async function expectBrake({ businesses, requests, clients }: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask: send } = await openFlooded(businesses ?? 0);
  try {
    const addresses = Array.from({ length: clients ?? 0 }, newAddress);
    const indexes = Array.from({ length: requests ?? 0 }, (_, index) => index);
    const ask = (body: OptOutIn, index: number) => send(body, index, addresses[index % addresses.length]);
    await sendAll(indexes, (index) => ask({ phone: phoneOf(index) }, index));
    const most = Math.max(50, Math.floor((businesses ?? 0) * 0.005)) + 1;
    expect(await hiddenCount(service)).toBe(most);
    const waits = await service.context.db.pool.query(
      "SELECT FROM removal_identifier WHERE state = 'waiting'",
    );
    expect(waits.rowCount).toBe((requests ?? 0) - most);
    // One for each waiting request, and one for the burst.
    expect(lines().filter(({ level }) => level === "error")).toHaveLength((requests ?? 0) - most + 1);

    // A removal by number still takes effect at once; a day later, removals by contact do too.
    await ask({ usdot: String(FIRST_USDOT + (requests ?? 0)) }, 0);
    expect(await hiddenCount(service)).toBe(most + 1);
    service.clock.advance(86_400_000 + 1_000);
    await ask({ phone: phoneOf((requests ?? 0) + 1) }, 0);
    expect(await hiddenCount(service)).toBe(most + 2);
  } finally {
    await stop();
  }
}

/** Many removals by number within seconds: all take effect at once, and operators get one alarm, by log and metrics. */
export async function expectAlarm({ businesses, requests }: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask } = await openFlooded(businesses ?? 0);
  try {
    watchRemovals(service.context, servedFeeds);
    const alarms = () => lines().filter(({ level, feeds }) => level === "error" && feeds !== undefined);
    const metric = async (name: string) => {
      const text = await (await service.get("/metrics")).text();
      return Number(new RegExp(`^${name}\\{feed="us_brokers"\\} (\\d+)$`, "m").exec(text)?.[1]);
    };
    const burst = (first: number) =>
      sendAll(
        Array.from({ length: requests ?? 0 }, (_, index) => String(FIRST_USDOT + first + index)),
        (usdot, index) => ask({ usdot }, index),
      );
    await ask({ usdot: String(FIRST_USDOT) }, 0);
    expect(await metric("tdf_removals_braked")).toBe(0);
    expect(alarms()).toEqual([]);

    await burst(1);
    expect(await hiddenCount(service)).toBe((requests ?? 0) + 1);
    expect(alarms()).toMatchObject([{ feeds: [{ feed: "us_brokers", rows: businesses }] }]);
    expect(await metric("tdf_removals_last_day")).toBe((requests ?? 0) + 1);
    expect(await metric("tdf_removals_braked")).toBe(1);

    // A day later there is another alarm.
    service.clock.advance(86_400_000 + 1_000);
    expect(await metric("tdf_removals_braked")).toBe(0);
    await burst((requests ?? 0) + 1);
    expect(alarms()).toHaveLength(2);
  } finally {
    await stop();
  }
}

/** Thousands of requests that name others' addresses: each address gets one mail at most, and the total is limited. */
export async function expectNoMailBomb({
  requests,
  mailboxes,
  clients,
}: Record<string, number>): Promise<void> {
  const { service, lines, stop, ask: send } = await openFlooded(1);
  try {
    const addresses = Array.from({ length: clients ?? 0 }, newAddress);
    const ask = (requester_email: string, index: number) =>
      send({ usdot: "1", requester_email }, index, addresses[index % addresses.length]);
    const mails = async () => {
      const { rows } = await service.context.db.pool.query<{ recipient: string; count: number }>(
        "SELECT recipient, count(*) FROM mail_outbox GROUP BY recipient",
      );
      return rows;
    };
    const victims = Array.from(
      { length: requests ?? 0 },
      (_, index) => `v${index % (mailboxes ?? 1)}@example.com`,
    );
    await sendAll(victims, ask);
    const sent = await mails();
    expect(sent.length).toBe(Math.min(mailboxes ?? 0, 200));
    expect(sent.every(({ count }) => count === 1)).toBe(true);
    await sendAll(
      Array.from({ length: 200 }, (_, index) => `w${index}@example.com`),
      (victim, index) => send({ usdot: "1", requester_email: victim }, index),
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
