import { execFile } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { type EventType, eventTypeLabel } from "../../../../src/events/event-types.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { freePort } from "../../../support/network/free-port.ts";
import { cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const FEED = "us_new_authority_weekly";
const EXAMPLE = "BLUE MESA FREIGHT LLC";
/** Where `tdf start` keeps the key of the demo. */
const demoKeyFile = ({ context }: TestService) => path.join(context.config.dataDir, "demo.key");
/** Longer than numbers are kept. */
const LATER_MS = 11_000;

let service: TestService;

beforeAll(async () => {
  const port = await freePort();
  service = await startTestService({ port, env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  await publish(["77", "78", "79"]);
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
});
afterAll(() => service.stop());

const publish = (dots: readonly string[]) =>
  publishFeed(service.context.db, FEED, {
    records: dots.map((dot_number) => feedRecord(FEED, { dot_number, company: `CARRIER ${dot_number} LLC` })),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });

/** The front page, once its numbers are read anew. */
function readAnew(): Promise<string> {
  service.clock.advance(LATER_MS);
  return read();
}

async function read(of: TestService = service): Promise<string> {
  const answer = await of.get("/");
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The row of a feed in the table, as text: name, rows, state, day. */
const rowOf = (page: string, feed: string): string =>
  (page.split(/<tr[ >]/).find((row) => row.includes(`href="/feeds/${feed}"`)) ?? "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The card of an event type, as a number. */
const countOf = (page: string, type: EventType): string | undefined =>
  new RegExp(`<dt>${eventTypeLabel(type)}</dt>\\s*<dd class="value">([^<]+)</dd>`).exec(page)?.[1];

/** The text of a block of code, with its signs as typed. */
const codeOf = (page: string, id: string): string =>
  (new RegExp(`<code id="${id}">([^]*?)</code>`).exec(page)?.[1] ?? "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

describe("the numbers of the front page", () => {
  it("are those of every feed, of no plan: visible rows, day, state", async () => {
    const page = await readAnew();
    expect(rowOf(page, FEED)).toMatch(/New carrier authorities 3 fresh 2026-11-20/);
    expect(rowOf(page, "us_brokers")).toContain("not live yet");
    await removeBusinesses(service.context.db, [78]);
    expect(rowOf(await readAnew(), FEED)).toContain(" 2 fresh");
    await undoRemovals(service.context.db);
  });

  it("stand beside the question that the feed answers each trade", async () => {
    await publishFeed(service.context.db, "us_brokers", {
      records: [1, 2].map((dot) => feedRecord("us_brokers", { dot_number: String(dot) })),
      asOf: "2026-11-20",
      now: service.clock.now(),
    });
    const page = await readAnew();
    const cards = [
      ...page.matchAll(/<h3>(You [^<]+)<\/h3>\s*<p class="question">([^<]+)<\/p>\s*<p>(.*?)<\/p>/g),
    ].map(([, trade, question, feed]) => `${trade}: ${question} ${feed?.replaceAll(/<[^>]+>/g, " ").trim()}`);
    expect(cards).toHaveLength(4);
    expect(cards).toContain(
      "You sell to carriers: Which companies have just begun to haul, and how do I reach them? New carrier authorities  3 rows now",
    );
    expect(cards.find((card) => card.includes("brokers:"))).toMatch(/what is its bond\?.* {2}2 rows now$/);
    expect(cards.find((card) => card.includes("vet"))).toMatch(/Revocation pending$/);
  });

  it("count the events of the newest day by type, without removed businesses", async () => {
    await putEvents(service.context.db, [
      { usdot: 1, type: "reinstated", detectedAt: "2026-11-19T11:00:00Z" },
      { usdot: 2, type: "new_authority_granted", detectedAt: "2026-11-20T11:20:05Z" },
      { usdot: 3, type: "new_authority_granted", detectedAt: "2026-11-20T11:20:05Z" },
      { usdot: 4, type: "revocation_pending", detectedAt: "2026-11-20T16:20:05Z" },
    ]);
    const page = await readAnew();
    expect(page).toContain("Noticed on 20 November");
    expect(countOf(page, "new_authority_granted")).toBe("2");
    expect(countOf(page, "revocation_pending")).toBe("1");
    expect(countOf(page, "reinstated")).toBe("0");
    await removeBusinesses(service.context.db, [3, 4]);
    const after = await readAnew();
    expect([countOf(after, "new_authority_granted"), countOf(after, "revocation_pending")]).toEqual([
      "1",
      "0",
    ]);
    await removeBusinesses(service.context.db, [2]);
    expect(countOf(await readAnew(), "reinstated")).toBe("1");
    await undoRemovals(service.context.db);
  });

  it("are left out when the events are stale", async () => {
    await setDetection(service.context.db, { finishedAt: "2026-11-10T11:20:05Z", asOf: "2026-11-10" });
    expect(await readAnew()).not.toContain("What changed");
    await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  });

  it("are read once in ten seconds, however many ask", async () => {
    const before = rowOf(await readAnew(), FEED);
    await publish(["77"]);
    const crowd = await Promise.all(Array.from({ length: 20 }, () => read()));
    expect(new Set(crowd.map((page) => rowOf(page, FEED)))).toEqual(new Set([before]));
    expect(rowOf(await readAnew(), FEED)).toContain(" 1 fresh");
    await publish(["77", "78", "79"]);
  });

  it("are left out while the database is away, and the page answers", async () => {
    const database = await createTestDatabase();
    const way = await cuttableWayTo(database.url);
    const cut = await startTestService({ databaseUrl: way.url });
    try {
      expect(await read(cut)).toContain("The feeds, now");
      way.cut();
      cut.clock.advance(LATER_MS);
      const page = await read(cut);
      expect(page).not.toContain("The feeds, now");
      expect(page).toContain(EXAMPLE);
      way.mend();
      cut.clock.advance(LATER_MS);
      expect(await read(cut)).toContain("The feeds, now");
    } finally {
      await cut.stop();
      await way.close();
      await database.drop();
    }
  });
});

describe("the first call", () => {
  it("asks for the reader's own key, and shows the contract's example", async () => {
    const page = await readAnew();
    expect(codeOf(page, "curl")).toBe(
      `curl -H "X-API-Key: $KEY" \\\n  '${service.url}/v1/feeds/${FEED}/records?page_size=1'`,
    );
    expect(JSON.parse(codeOf(page, "record"))).toMatchObject({ company: EXAMPLE });
    expect(page).not.toContain("CARRIER 77");
  });

  describe("on the demo", () => {
    let key: string;
    let keyId: string;

    beforeAll(async () => {
      ({ key, keyId } = await service.createAccount({ feeds: { [FEED]: null } }));
      await writeFile(demoKeyFile(service), `${key}\n`);
      await changeRows(service.context.db.pool, "installation", { demo_first_day: "2026-11-18" });
    });
    afterAll(async () => {
      await changeRows(service.context.db.pool, "installation", { demo_first_day: null });
      await rm(demoKeyFile(service), { force: true });
    });

    it("works as it is shown, and gives the record that is shown", async () => {
      const page = await readAnew();
      const { stdout } = await promisify(execFile)("bash", ["-c", `${codeOf(page, "curl")} -sS --fail`]);
      expect(JSON.parse(stdout).data[0]).toEqual(JSON.parse(codeOf(page, "record")));
      expect(JSON.parse(codeOf(page, "record"))).toMatchObject({ company: "CARRIER 77 LLC" });
    });

    it("shows a business no more from the moment it is removed", async () => {
      expect(await readAnew()).toContain("CARRIER 77 LLC");
      await removeBusinesses(service.context.db, [77]);
      const page = await read();
      expect(page).not.toContain("CARRIER 77 LLC");
      expect(page).toContain("CARRIER 78 LLC");
      await undoRemovals(service.context.db);
    });

    it("shows no record of the real registry from the moment it replaces the demo", async () => {
      const { pool } = service.context.db;
      expect(await readAnew()).toContain(key);
      await changeRows(pool, "installation", { demo_first_day: null });
      expect(await read()).not.toContain("CARRIER 77 LLC");
      expect(await readAnew()).not.toContain(key);
      await changeRows(pool, "installation", { demo_first_day: "2026-11-18" });
    });

    it("shows the key to nobody who calls this machine by another name", async () => {
      expect(await readAnew()).toContain(key);
      const { port } = service;
      const sent = get({ port, host: "127.0.0.1", headers: { Host: "rebound.example" } });
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const page = await text(answer);
      expect(codeOf(page, "curl")).toContain("$KEY");
      expect(page).not.toContain(key);
    });

    it("shows no key at a public address, nor one that cannot be used", async () => {
      const elsewhere = await startTestService({
        databaseUrl: service.context.config.databaseUrl ?? "",
        env: { PUBLIC_URL: "https://feeds.example.com", DATA_DIR: service.context.config.dataDir },
      });
      try {
        const page = await read(elsewhere);
        expect(codeOf(page, "curl")).toMatch(/"X-API-Key: \$KEY" \\\n {2}'https:\/\/feeds\.example\.com\//);
        expect(page).not.toContain("CARRIER 77");
      } finally {
        await elsewhere.stop();
      }
      await revokeKey(service.context, keyId);
      expect(codeOf(await readAnew(), "curl")).toContain("$KEY");
    });
  });
});
