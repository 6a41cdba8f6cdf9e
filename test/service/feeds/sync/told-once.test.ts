// Each thing is told once to a copy whose keeper sends the number of removals that it is of.
import { describe, expect, it } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { AMPLE } from "../../../support/feeds/every-feed.ts";
import { startTestService } from "../../../support/service.ts";
import {
  BROKERS,
  broker,
  type Changes,
  type Count,
  read,
  rowsUsed,
  usdotOf,
  type Versions,
} from "../../api/feeds/synced-feed.ts";
import {
  ALL,
  accountId,
  BROKER_C,
  CALIFORNIAN,
  changes,
  entries,
  HOUR_MS,
  key,
  poll,
  publish,
  readCopy,
  remove,
  service,
  setRegions,
  TEXAN,
  undo,
  useCopies,
} from "./copies.ts";

useCopies();

describe("the number of a copy", () => {
  it("is the same in pages, exports, counts, versions and changes", async () => {
    const old = await publish(ALL);
    const version = await publish(ALL);
    const request = await remove({ usdots: [usdotOf("a")] });
    const copy = await readCopy();
    expect(copy.removals).toBeGreaterThan(0);
    const count = await read<Count>(service, `${BROKERS}/count`, key);
    const listed = await read<Versions>(service, `${BROKERS}/versions`, key);
    const answer = await changes(`since_version=${version}`);
    const exported = await service.send("HEAD", `/v1/feeds/${BROKERS}/export.csv`, { key });
    expect([
      count.meta.checkpoint?.removals,
      listed.data[0]?.checkpoint.removals,
      answer.meta.checkpoint?.removals,
      Number(exported.headers.get("x-checkpoint-removals")),
    ]).toEqual(Array(4).fill(copy.removals));
    // What it was when an earlier version was read, only its reader knows.
    expect(listed.data.find((each) => each.version === old)?.checkpoint.removals).toBeNull();
    await undo(request);
  });

  it("stays when a business of no record is removed, and so does the page's tag", async () => {
    await publish(ALL);
    const before = await readCopy();
    const path = `/v1/feeds/${BROKERS}/records`;
    const tag = (await service.get(path, key)).headers.get("etag") ?? "";
    await remove({ usdots: [usdotOf("z")], phone: "9995550100" });
    expect(await readCopy()).toEqual(before);
    expect((await service.get(path, key, { "If-None-Match": tag })).status).toBe(304);
    const undone = await remove({ usdots: [usdotOf("a")] });
    await undo(undone);
    // The same records, but a copy that was read between the two lacks one.
    expect((await readCopy()).removals).toBeGreaterThan(before.removals);
  });
});

describe("told once", () => {
  it("a removed business, also when the next version lacks it", async () => {
    await publish(ALL);
    const copy = await readCopy();
    const request = await remove({ usdots: [usdotOf("b")] });
    const [told, next] = await poll(copy);
    expect(told).toEqual(["removed b withdrawn"]);
    expect((await poll(next))[0]).toEqual([]);
    await publish([TEXAN, BROKER_C]);
    expect((await poll(next))[0]).toEqual([]);
    expect((await poll(copy))[0]).toHaveLength(1);
    await undo(request);
  });

  it("an undone removal, to the copy that lacks it and to no later one", async () => {
    const version = await publish(ALL);
    const whole = await readCopy();
    const request = await remove({ usdots: [usdotOf("a")] });
    const lacking = await readCopy();
    await undo(request);
    const used = await rowsUsed(service, key);
    const [told, healed] = await poll(lacking);
    expect(told).toEqual(["added a"]);
    expect(await rowsUsed(service, key)).toBe(used);
    for (const copy of [healed, whole, await readCopy()]) expect((await poll(copy))[0]).toEqual([]);
    for (let day = 0; day < 3; day++) {
      service.clock.advance(24 * HOUR_MS);
      await publish(ALL);
      expect((await poll({ ...healed, version }))[0]).toEqual([]);
    }
    expect((await poll({ ...lacking, version }))[0]).toEqual(["added a"]);
  });

  it("a phone that is blanked and shown again", async () => {
    await publish(ALL);
    const copy = await readCopy();
    const request = await remove({ phone: "2145550111" });
    const [left, without] = await poll(copy);
    expect([left, (await poll(without))[0]]).toEqual([["removed c withdrawn"], []]);
    await undo(request);
    const [back, whole] = await poll(without);
    expect([back, (await poll(whole))[0], (await poll(copy))[0]]).toEqual([["added c"], [], []]);
    const again = await remove({ phone: "2145550111" });
    await publish([TEXAN, CALIFORNIAN, broker("c")]);
    expect((await poll(without))[0]).toEqual(["added c"]);
    expect((await poll(whole))[0]).toEqual(["changed c"]);
    await undo(again);
  });

  it("the states that a plan loses and gets back", async () => {
    await publish(ALL);
    const wide = await readCopy();
    await setRegions(["TX"]);
    const [lost, narrow] = await poll(wide);
    expect([lost, (await poll(narrow))[0]]).toEqual([["removed b outside_regions"], []]);
    await publish(ALL);
    expect((await poll(narrow))[0]).toEqual([]);
    await setRegions(null);
    const used = await rowsUsed(service, key);
    const [back, whole] = await poll(narrow);
    expect([back, (await poll(whole))[0], (await poll(wide))[0]]).toEqual([["added b"], [], []]);
    expect(await rowsUsed(service, key)).toBe(used + 1);
  });

  it("a change on the way to the next version, whatever lies between", async () => {
    await publish(ALL);
    const whole = await readCopy();
    const request = await remove({ usdots: [usdotOf("a")] });
    const lacking = await readCopy();
    await undo(request);
    await publish([broker("a", { city: "WACO" }), CALIFORNIAN, BROKER_C]);
    expect((await poll(lacking))[0]).toEqual(["added a"]);
    expect((await poll(whole))[0]).toEqual(["changed a"]);
  });

  it("by every process, and after a move to another plan", async () => {
    await publish(ALL);
    const wide = await readCopy();
    const other = await startTestService({
      databaseUrl: service.context.config.databaseUrl as string,
      clock: service.clock,
    });
    try {
      const { planCode: smaller } = await service.createAccount({ ...AMPLE, feeds: { [BROKERS]: ["CA"] } });
      await setRegions(["CA"], smaller);
      await setPlan(service.context, accountId, smaller);
      const told = await read<Changes>(
        other,
        `${BROKERS}/changes?since_version=${wide.version}&since_removals=${wide.removals}`,
        key,
      );
      expect(entries(told)).toEqual(["removed a outside_regions", "removed c outside_regions"]);
      expect((await poll({ ...wide, removals: told.meta.checkpoint?.removals ?? 0 }))[0]).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

describe("a keeper who sends no number, or one that can't be", () => {
  it.each(["", "&since_removals=9007199254740991"])("is told the last 25 hours again%s", async (query) => {
    const version = await publish(ALL);
    await undo(await remove({ usdots: [usdotOf("a")] }));
    const poll = async () => entries(await changes(`since_version=${version}${query}`));
    expect(await poll()).toEqual(["added a"]);
    service.clock.advance(24 * HOUR_MS);
    expect(await poll()).toEqual(["added a"]);
    service.clock.advance(HOUR_MS + 1);
    expect(await poll()).toEqual([]);
    // On the way to a newer version nothing may be missing.
    await publish(ALL);
    expect(await poll()).toEqual(["added a"]);
  });

  it("is told what is withdrawn as long as the version has it", async () => {
    const version = await publish(ALL);
    const request = await remove({ usdots: [usdotOf("a")] });
    service.clock.advance(30 * HOUR_MS);
    expect(entries(await changes(`since_version=${version}`))).toEqual(["removed a withdrawn"]);
    await undo(request);
  });
});

it("pages of one way that a removal and an undo interrupt lead to the same copy", async () => {
  await publish(ALL);
  const request = await remove({ usdots: [usdotOf("a")] });
  const copy = await readCopy();
  const later = ["a", "b", "c", "d", "e"].map((letter) => broker(letter, { city: "WACO" }));
  const version = await publish(later);
  const held = new Set(["b", "c"]);
  let other = 0;
  let query = `since_version=${copy.version}&since_removals=${copy.removals}`;
  for (let at = 0; ; at++) {
    const { data, next_cursor, meta } = await changes(`${query}&limit=1`);
    for (const { op, record_id } of data) {
      if (op === "removed") held.delete(record_id.charAt(0));
      else held.add(record_id.charAt(0));
    }
    if (at === 1) other = await remove({ usdots: [usdotOf("b")] });
    if (at === 2) await undo(request);
    if (next_cursor === null) {
      expect([...held].sort()).toEqual(["a", "c", "d", "e"]);
      expect((await poll({ version, removals: meta.checkpoint?.removals ?? 0 }))[0]).toEqual([]);
      break;
    }
    query = `cursor=${next_cursor}`;
  }
  await undo(other);
});
