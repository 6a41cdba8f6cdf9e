// The removal list as a file: exported, and merged with an older or newer state of it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import {
  acceptRemovals,
  listRemovals,
  rejectRemovals,
  undoRemovals,
} from "../../../src/suppression/requests/requests.ts";
import { exportRemovals } from "../../../src/suppression/transfer/export.ts";
import { restoreRemovals } from "../../../src/suppression/transfer/import.ts";
import { copyTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { type OptOutIn, optOut, removalList } from "../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

/** A service, and another one on a copy of its database from an earlier moment. */
let service: TestService;
let older: TestService;
let olderDatabase: TestDatabase;
const env = { TRUST_PROXY_HOPS: "1" };
const [USDOT, PHONE, SHARED, FLEET] = [2_000_000, "5125550100", "5125550101", "5125550102"] as const;
const asked: Record<string, number> = {};

beforeAll(async () => {
  const first = await startTestService({ env });
  const url = first.context.config.databaseUrl ?? "";
  await first.context.db.transaction(async (client) => {
    for (let index = 0; index < 3; index++) {
      await putRegistryRow(client, "census", { usdot: USDOT + index, phone: PHONE });
    }
    for (let index = 10; index < 30; index++) {
      const phone = index % 2 ? SHARED : FLEET;
      await putRegistryRow(client, "census", { usdot: USDOT + index, phone });
    }
  });
  const ask = async (name: string, body: OptOutIn) => {
    asked[name] = await optOut(service.url, body);
    service.clock.advance(1_000);
  };
  service = first;
  await ask("before", { usdot: String(USDOT + 50) });
  await ask("undone later", { usdot: String(USDOT + 51) });
  await ask("accepted later", { phone: FLEET });
  olderDatabase = await copyDatabase(url);
  await ask("phone", { phone: PHONE, requester_email: "owner@example.com", details: "Please" });
  await ask("shared", { phone: SHARED });
  await ask("unknown", { usdot: "99999999", mc: "MC42", email: "a@example.com" });
  await undoRemovals(service.context, [asked["undone later"] ?? 0], "a mistake");
  await acceptRemovals(service.context, servedFeeds, [asked["accepted later"] ?? 0], "a fleet");
  await rejectRemovals(service.context, [asked.shared ?? 0], "a dispatch service");
}, 120_000);
afterAll(async () => {
  await service.stop();
  await older?.stop();
  await olderDatabase.drop();
});
beforeEach(async () => {
  older ??= await startTestService({ env, databaseUrl: olderDatabase.url });
});

/** A database can be copied only while nobody is connected to it. */
async function copyDatabase(url: string): Promise<TestDatabase> {
  const { clock } = service;
  await service.context.db.close();
  const copy = await copyTestDatabase({ url });
  service = await startTestService({ env, databaseUrl: url, clock });
  return copy;
}

async function exportOf({ context }: TestService): Promise<string[]> {
  const written: string[] = [];
  await exportRemovals(context, async (lines) => {
    written.push(...lines);
  });
  return written;
}

const stateOf = async ({ context }: TestService) => {
  const { businesses, contacts } = await removalList(context);
  return { businesses, contacts, requests: await listRemovals(context) };
};

describe("an export", () => {
  it("names its format and its number of requests", async () => {
    const lines = await exportOf(service);
    expect(lines[0]).toBe('{"format":"tdf removals 1"}');
    expect(lines.at(-1)).toBe('{"requests":6}');
    expect(lines).toHaveLength(8);
  });

  it("has only digests of the senders", async () => {
    const text = (await exportOf(service)).join("\n");
    for (const personal of ["owner@example.com", "Please"]) expect(text).not.toContain(personal);
    expect(text).toContain(PHONE);
  });

  it("updates an older state of the database to the list", async () => {
    const lines = await exportOf(service);
    const before = await removalList(older.context);
    expect(before.businesses).toEqual([USDOT + 50, USDOT + 51]);
    const restored = await restoreRemovals(older.context, servedFeeds, lines);
    expect(restored).toEqual({ requests: 6, unknown: 3, businesses: 3 + 10 + 1 - 1 });
    expect(await stateOf(older)).toEqual(await stateOf(service));
  });

  it("changes nothing when it is imported again, or into its own database", async () => {
    const lines = await exportOf(service);
    for (const each of [older, service]) {
      const before = [await stateOf(each), await removalList(each.context)];
      expect(await restoreRemovals(each.context, servedFeeds, lines)).toEqual({
        requests: 6,
        unknown: 0,
        businesses: 0,
      });
      expect([await stateOf(each), await removalList(each.context)]).toEqual(before);
    }
  });

  it("that is older does not undo later decisions, or lose them", async () => {
    const old = await exportOf(older);
    await undoRemovals(older.context, [asked.phone ?? 0], "a mistake");
    const since = await optOut(older.url, { usdot: String(USDOT + 60) });
    const before = await stateOf(older);
    await restoreRemovals(older.context, servedFeeds, old);
    expect(await stateOf(older)).toEqual(before);
    expect(before.requests.map(({ request_id }) => request_id)).toContain(since);
    expect(before.businesses).not.toContain(USDOT);
  });

  it("is refused when it is invalid or incomplete, and changes nothing", async () => {
    const lines = await exportOf(service);
    const before = await stateOf(older);
    const broken: [string[], RegExp][] = [
      [[], /lines are missing/],
      [["{}"], /not an export of a removal list/],
      [["not JSON"], /not an export of a removal list/],
      [lines.slice(0, -1), /lines are missing/],
      [[...lines.slice(0, 3), ...lines.slice(4)], /lines are missing/],
      [[...lines.slice(0, 2), '{"request_id":1}', ...lines.slice(2)], /^Line 3 is not a removal request/],
      [
        [...lines.slice(0, 2), ...lines.slice(1)],
        /^Line 3 is not a removal request, or one that came before/,
      ],
      [
        lines.map((line) => line.replace(new RegExp(`"${USDOT + 50}"`), '"a number"')),
        /^Line \d is not a removal request/,
      ],
      [[...lines, ...lines], /^Line 9 is after the end/],
    ];
    for (const [file, sentence] of broken) {
      await expect(restoreRemovals(older.context, servedFeeds, file)).rejects.toThrow(sentence);
    }
    expect(await stateOf(older)).toEqual(before);
  });
});
