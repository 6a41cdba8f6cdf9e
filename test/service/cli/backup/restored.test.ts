// A backup, then damage, then a restore: the database is what it was, but for businesses removed since.
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../../../src/platform/version.ts";
import { undoRemovals } from "../../../../src/suppression/requests/requests.ts";
import { optOut } from "../../../support/removals/opt-outs.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import type { Changes } from "../../api/feeds/synced-feed.ts";
import {
  connected,
  database,
  dumpBefore,
  dumpOf,
  ENV,
  eventsOf,
  exportsBefore,
  exportsOf,
  file,
  folder,
  kept,
  key,
  OTHER,
  onService,
  query,
  removed,
  rowsOf,
  rules,
  rulesBefore,
  tdf,
  usdotsIn,
  useBackup,
} from "./backed-up.ts";
import { dropRole, makeRole, rights } from "./reader-role.ts";

useBackup();

describe("after damage and a removal", () => {
  let highestEvent: string;
  let rightsBefore: unknown[];

  afterAll(dropRole);

  beforeAll(async () => {
    const service = await startTestService({ databaseUrl: database.url, env: ENV });
    await optOut(service.url, { usdot: removed });
    const { rows } = await service.context.db.pool.query<{ id: string }>(
      "SELECT nextval('event_id_seq')::text AS id",
    );
    highestEvent = rows[0]?.id ?? "";
    await service.stop();
    const { rows: even } = await query("SELECT usdot FROM census WHERE usdot % 2 = 0");
    await connected(async (client) => {
      await removeRows(client, "webhook_delivery");
      await removeRows(client, "api_key");
      await removeRows(client, "census", { usdot: even.map(({ usdot }) => usdot) });
      await changeRows(client, "usage_month", { api_rows: 0 });
      await changeRows(client, "installation", { record_id_key: "another" });
    });
    await makeRole();
    rightsBefore = await rights();
    expect(rightsBefore.length).toBeGreaterThan(10);
    const versions = Object.keys(dumpBefore).filter((name) => name.startsWith("published."));
    await query(`DROP TABLE ${versions.at(-1)}`);
  });

  it("a restore brings everything back but the removed business", async () => {
    const { out, err, status } = await tdf("restore", file, "--replace", "--json");
    expect({ err, status }).toEqual({ err: "", status: 0 });
    expect(JSON.parse(out)).toMatchObject({
      program: VERSION,
      migrations: [],
      removals: { requests: 2, unknown: 1, businesses: 1 },
    });
    const changed = Object.entries(kept(await dumpOf(database.url)))
      .filter(([name, held]) => JSON.stringify(held) !== JSON.stringify(dumpBefore[name]))
      .map(([name]) => name.replace("public.", ""));
    expect(await rules()).toEqual(rulesBefore);
    expect(
      changed.filter((name) => !/^(removal_|suppress|blanked_|webhook_change$|admission_state$)/.test(name)),
    ).toEqual(["event_id_seq"]);
  });

  it("other roles have the rights that they had, also on a table that was lost", async () => {
    expect(await rights()).toEqual(rightsBefore);
  });

  it("feeds are exported as before, without that business's rows", async () => {
    const service = await startTestService({ databaseUrl: database.url });
    const exported = await exportsOf(service);
    const events = await eventsOf(service);
    const carrier = await service.get(`/v1/carriers/${removed}`, key);
    await service.stop();
    for (const [feed, csv] of exportsBefore) {
      const usdots = ["", ...usdotsIn(csv)];
      const expected = rowsOf(csv).filter((_, index) => usdots[index] !== removed);
      expect(rowsOf(exported.get(feed))).toEqual(expected);
    }
    expect(carrier.status).toBe(404);
    expect(events).toEqual([String(OTHER)]);
  });

  it("sequences go on behind the numbers that the replaced database gave", async () => {
    const { rows } = await query("SELECT nextval('event_id_seq')::text AS id");
    expect(BigInt(rows[0].id)).toBe(BigInt(highestEvent) + 1n);
  });

  it("a list that can't be read is refused, unless a newer export is given", async () => {
    const removals = path.join(folder, "removals.jsonl");
    expect(await tdf("removal", "export", removals)).toMatchObject({ status: 0 });
    await query(`
      DROP TABLE removal_match CASCADE;
      -- As after an upgrade: the older program takes the database back to what it was before.
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '2099_later', now())`);
    expect(await tdf("restore", file, "--replace")).toMatchObject({
      status: 2,
      err: expect.stringMatching(/removal list of this database can't be read/),
    });
    const { out, err } = await tdf("restore", file, "--replace", "--json", "--removals", removals);
    expect({ err, removals: JSON.parse(out).removals }).toEqual({
      err: "",
      removals: { requests: 2, unknown: 1, businesses: 1 },
    });
  });

  // The number of the list's last change was read apart from the list, and its absence ended every restore.
  it.each([["--lose-removals"], ["--removals", "the export"]])(
    "a list without its number is refused, but not with %s",
    async (option, ...values) => {
      const removals = path.join(folder, "removals.jsonl");
      await connected((client) => removeRows(client, "suppression_state"));
      expect(await tdf("restore", file, "--replace")).toMatchObject({
        status: 2,
        err: expect.stringMatching(/removal list of this database can't be read/),
      });
      const { out, err } = await tdf(
        ...["restore", file, "--replace", "--json", option, ...values.map(() => removals)],
      );
      expect({ err, removals: JSON.parse(out).removals }).toEqual({
        err: "",
        removals: expect.objectContaining({ businesses: 1 }),
      });
    },
  );
});

describe("a copy of a feed from a time that was taken back", () => {
  const get = ({ url }: TestService, path: string) =>
    fetch(`${url}/v1/feeds/us_brokers/${path}`, { headers: { "X-API-Key": key } });
  async function poll(service: TestService, removals: number | null): Promise<Response> {
    const { data } = (await (await get(service, "versions")).json()) as { data: { version: number }[] };
    const sent = removals === null ? "" : `&since_removals=${removals}`;
    return get(service, `changes?since_version=${data[0]?.version}${sent}&limit=1000`);
  }
  const expectLost = async (service: TestService, removals: number): Promise<void> => {
    const answer = await poll(service, removals);
    expect([answer.status, await answer.json()]).toEqual([
      410,
      expect.objectContaining({ code: "version_expired" }),
    ]);
  };
  /** What a copy of the newest version is told, and its number of removals then. */
  async function polled(service: TestService, removals: number | null) {
    const asked = await poll(service, removals);
    expect(asked.status).toBe(200);
    const answer = (await asked.json()) as Changes;
    return {
      told: answer.data.map(({ op, record_id }) => `${op} ${record_id}`),
      removals: answer.meta.checkpoint?.removals ?? Number.NaN,
    };
  }
  /** Other businesses of the feed than the one that is removed already, with the ids of their records. */
  const others = (): { usdot: string; record: string }[] => {
    const csv = exportsBefore.get("us_brokers");
    const records = csv?.match(/(?<=[,\n])[a-p]{16}(?=[,\r])/g) ?? [];
    return usdotsIn(csv)
      .map((usdot, index) => ({ usdot, record: records[index] ?? "" }))
      .filter(({ usdot }) => usdot !== removed);
  };
  const request = async (service: TestService, at: number) =>
    optOut(service.url, { usdot: others()[at]?.usdot ?? "" });

  beforeAll(async () => {
    expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
  });

  // The numbers of removals were given again, so that this copy passed for one that knew of the removals. What was removed
  // and shown again in the lost time is known to nobody: the copy lacks it.
  it("is to be read anew after a restore", async () => {
    const lost = await onService(async (service) => {
      await undoRemovals(service.context, [await request(service, 0)], "a mistake");
      return (await polled(service, null)).removals;
    });
    expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      for (const at of [1, 2]) await request(service, at);
      await expectLost(service, lost);
      const { told, removals } = await polled(service, null);
      expect(told).toEqual(expect.arrayContaining([1, 2].map((at) => `removed ${others()[at]?.record}`)));
      expect(await polled(service, removals)).toEqual({ told: [], removals });
    });
  });

  it("is to be read anew after a recovery, unless it is from before the lost time", async () => {
    const known = await onService(async (service) => {
      await request(service, 3);
      await undoRemovals(service.context, [await request(service, 4)], "a mistake");
      return (await polled(service, null)).removals;
    });
    expect(await tdf("recovered")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      // The keeper was told in the lost time that the one is shown again, and the other removed.
      await expectLost(service, known + 2);
      expect((await polled(service, known)).told).toEqual([]);
      await request(service, 5);
      const { removals } = await polled(service, known);
      expect(removals).toBeGreaterThan(known + 1_000_000);
      await expectLost(service, known + 2);
    });
    // Another recovery forgets none of the numbers that the first one took back.
    expect(await tdf("recovered")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      for (const lost of [1, 1_000_000]) await expectLost(service, known + lost);
      expect((await poll(service, known + 1_000_001)).status).toBe(200);
    });
  });
});

it("the address and the remarks of a request that waits come over from the replaced database", async () => {
  const requester = { requester_email: "owner@example.com", details: "We closed." };
  await onService(({ url }) => optOut(url, { usdot: removed, ...requester }));
  expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
  const { rows } = await query("SELECT email AS requester_email, details FROM removal_requester");
  expect(rows).toEqual([requester]);
});
