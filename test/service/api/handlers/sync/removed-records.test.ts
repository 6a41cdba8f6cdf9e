// What changes tell of businesses and contacts on the removal list.
import { describe, expect, it } from "vitest";
import { takeOffList } from "../../../../../src/suppression/removal-list.ts";
import { undoRemovals } from "../../../../../src/suppression/requests/requests.ts";
import { optOut } from "../../../../support/removals/opt-outs.ts";
import { blankContacts, removeBusinesses } from "../../../../support/removals/removals.ts";
import {
  broker,
  type Changes,
  checkpointOf,
  idOf,
  publish,
  rowsUsed,
  usdotOf,
} from "../../feeds/synced-feed.ts";
import { changes, key, service, useFeedChanges } from "./feed-changes.ts";

useFeedChanges();

describe("what is on the removal list", () => {
  it("leaves as its id and nothing else, at once", async () => {
    const version = await publish(service, [broker("g"), broker("h", { city: "WACO" })]);
    await removeBusinesses(service.context.db, [usdotOf("g")], service.clock.now());
    const withdrawn = { op: "removed", version, record_id: idOf("g"), reason: "withdrawn" };
    const { data, meta } = await changes(`since_version=${version}`);
    expect(data).toEqual([withdrawn]);
    expect(meta.checkpoint).toEqual(checkpointOf(version, [broker("h", { city: "WACO" })]));
    // A version that never had it, and one that has it no more.
    const next = await publish(service, [broker("h")]);
    const after = await changes(`since_version=${version}`);
    expect(after.data).toEqual(expect.arrayContaining([{ ...withdrawn, version: next }]));
    expect(JSON.stringify(after)).not.toContain("BROKER g");
  });

  it("leaves again when an earlier page of the same way has added it", async () => {
    const unknown = ["l", "m"].map((letter) => broker(letter, { authority_granted: null }));
    const version = await publish(service, unknown);
    // Both match by the day of the later version, not by that of the earlier one.
    const known = ["l", "m"].map((letter) => broker(letter, { authority_granted: "2026-11-11" }));
    await publish(service, known, { asOf: "2026-11-21" });
    const filters = "min_days_in_business=10&limit=1";
    let page = await changes(`since_version=${version}&${filters}`);
    const added = page.data[0]?.record_id ?? "";
    await removeBusinesses(service.context.db, [usdotOf(added.charAt(0))], service.clock.now());
    const later: Changes["data"] = [];
    while (page.next_cursor !== null) {
      page = await changes(`cursor=${page.next_cursor}&${filters}`);
      later.push(...page.data);
    }
    expect(later).toContainEqual(
      expect.objectContaining({ op: "removed", record_id: added, reason: "withdrawn" }),
    );
  });

  // A served version may have what the registry has no more: after a rollback, or on the way to an older version.
  it("comes back with a contact that is shown again, whatever the registry has now", async () => {
    const [phone, cell] = ["2145550178", "2145550179"];
    const records = [broker("n", { phone }), broker("o", { phone: cell }), broker("p")];
    const version = await publish(service, records);
    await blankContacts(service.context.db, [phone, cell], service.clock.now());
    const { data } = await changes(`since_version=${version}`);
    expect(data.map(({ op, record_id }) => [op, record_id]).sort()).toEqual([
      ["removed", idOf("n")],
      ["removed", idOf("o")],
    ]);
    await service.context.db.transaction((client) => takeOffList(client, [1], service.clock.now()));
    const used = await rowsUsed(service, key);
    const later = await changes(`since_version=${version}`);
    expect(later.data).toEqual(
      records.slice(0, 2).map((record) => ({ op: "added", version, record_id: record.record_id, record })),
    );
    // Both had been delivered with this version already.
    expect(await rowsUsed(service, key)).toBe(used);
    // A next version without them: a copy may have neither.
    await publish(service, [broker("n", { phone: cell }), broker("p")]);
    expect((await changes(`since_version=${version}`)).data.map(({ op }) => op)).toEqual([
      "added",
      "removed",
    ]);
  });

  it("is null in `before`: a contact that a request blanked", async () => {
    const version = await publish(service, [broker("k", { phone: "2145550177", email: "k@example.com" })]);
    await blankContacts(service.context.db, ["2145550177"], service.clock.now());
    // Until the next import the whole record is left out.
    expect((await changes(`since_version=${version}`)).data).toMatchObject([
      { op: "removed", record_id: idOf("k"), reason: "withdrawn" },
    ]);
    await publish(service, [broker("k", { email: "other@example.com" })]);
    const { data } = await changes(`since_version=${version}`);
    expect(data).toMatchObject([
      { op: "changed", changed: ["phone", "email"], before: { phone: null, email: "k@example.com" } },
    ]);
    expect(JSON.stringify(data)).not.toContain("2145550177");
  });

  // Nobody files it any more, so no business is removed: the record stays, and only its past had the contact.
  it("is null in `before`: a contact that a request in force names", async () => {
    const version = await publish(service, [broker("i", { phone: "2145550166", email: "i@example.com" })]);
    await publish(service, [broker("i", { phone: "2145550167", email: "other@example.com" })]);
    const requestId = await optOut(service.url, { phone: "(214) 555-0166" });
    const told = async () => (await changes(`since_version=${version}`)).data;
    const shown = { op: "changed", changed: ["phone", "email"] };
    expect(await told()).toMatchObject([{ ...shown, before: { phone: null, email: "i@example.com" } }]);
    await undoRemovals(service.context, [requestId], "asked by mistake");
    expect(await told()).toMatchObject([{ ...shown, before: { phone: "2145550166" } }]);
  });
});
