import { describe, expect, it } from "vitest";
import { updateSharedValues } from "../../../../../src/carriers/connections/shared-values.ts";
import { DATASETS } from "../../../../../src/registry/datasets.ts";
import { refreshWords } from "../../../../../src/registry/vocabularies/words.ts";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { changeRows, type Row, removeRows } from "../../../../support/rows.ts";
import * as registry from "./connected-companies.ts";
import {
  ask,
  connections,
  countsIn,
  key,
  lines,
  NOTHING_LEFT_OUT,
  put,
  SMALL,
  service,
  useConnectionReader,
} from "./connection-reader.ts";

useConnectionReader();

describe("connections", () => {
  it("say when to come back until they are found for the first time", async () => {
    const refused = JSON.parse(await ask(401, "", key, 503)) as { code: string };
    expect(refused.code).toBe("unavailable");
    expect(await countsIn("/v1/carriers/401")).toEqual({ connected: null, connected_ended: null });
    await updateSharedValues(service.context);
    expect((await connections(401)).usdot).toBe("401");
  });

  it("list who has two signs in common, and say what the registry has of it", async () => {
    const { data, summary, as_of, recorded_since, next_cursor } = await connections(401);
    const link = { when: "now", first_seen: null, last_seen: AS_OF, sources: ["census"], predecessor: null };
    expect(data[0]).toEqual({
      usdot: "402",
      company: "COMPANY 402 LLC",
      state: "TX",
      usdot_status: "inactive",
      links: [
        { ...link, kind: "phone" },
        { ...link, kind: "address" },
      ],
      facts: [
        { code: "authority_revoked", on: "2026-09-01", source: "motus_authhist" },
        { code: "insurance_cancelled", on: "2026-08-20", source: "motus_inshist" },
        { code: "out_of_service", on: "2026-10-07", source: "oos_order" },
      ],
      days_between: 41,
    });
    expect(data.map(({ usdot }) => usdot)).toEqual(["402", "406"]);
    expect(data[1]).toMatchObject({ usdot_status: "active", facts: [], days_between: null });
    expect({ as_of, recorded_since, next_cursor }).toEqual({
      as_of: AS_OF,
      recorded_since: "2026-11-15T11:20:05.000Z",
      next_cursor: null,
    });
    // Company 403 has only the phone, 404 is a person.
    expect(summary).toEqual({
      connected: 2,
      ended: 1,
      out_of_service: 1,
      by_link: { phone: 3, address: 2 },
      single_links: 1,
      left_out: { persons: 1, outside_regions: 0 },
    });
  });

  it.each<[string, Row, boolean]>([
    ["an excess policy", { class_code: "E" }, true],
    ["another primary policy", { class_code: "P" }, false],
    ["another policy from an unreadable day", { effective_on: null }, false],
    ["an older policy that was cancelled too", { policy_key: "OLDER1" }, true],
    [
      "the same policy, filed again after the notice",
      { policy_key: "ENDED1", filed_on: "2026-11-01" },
      false,
    ],
  ])("call a policy cancelled beside %s as the feed of alerts does: %s", async (_name, other, isTold) => {
    const { db } = service.context;
    const held = { docket: "MC661", usdot: 661, class_code: "P", effective_on: "2026-01-01" };
    const ended = { ...held, policy_key: "ENDED1", cancelled_on: "2026-11-10" };
    await put("motus_inshist", ended);
    if (other.policy_key === "OLDER1") await put("motus_inshist", { ...ended, policy_key: "OLDER1" });
    await put("motus_insur", { ...held, policy_key: "OTHER1", ...other });
    await db.transaction((client) => refreshWords(client, new Set(DATASETS)));
    const [{ facts = [] } = {}] = (await connections(660)).data;
    const cancelled = { code: "insurance_cancelled", on: "2026-11-10", source: "motus_inshist" };
    expect(facts).toEqual(isTold ? [cancelled] : []);
    for (const table of ["motus_inshist", "motus_insur"])
      await removeRows(db.pool, table, { docket: "MC661" });
  });

  it.each<[string, Row, Row, boolean]>([
    ["that ended in an unknown way", { filing_status: "A NEW WORD" }, { cancelled_on: "2026-11-01" }, true],
    [
      "before one that is to end later",
      {},
      { effective_on: "2026-11-14", cancelled_on: "2026-12-20" },
      false,
    ],
    ["before one that is to begin", {}, { effective_on: "2026-12-01", cancelled_on: "2026-12-20" }, true],
  ])("call a policy cancelled %s, as the verdict does", async (_name, ended, other, isTold) => {
    const held = { docket: "MC661", usdot: 661, class_code: "P", effective_on: "2026-01-01" };
    await put("motus_inshist", { ...held, policy_key: "ENDED1", cancelled_on: "2026-11-10", ...ended });
    await put("motus_inshist", { ...held, policy_key: "OTHER1", ...other });
    const { db } = service.context;
    await db.transaction((client) => refreshWords(client, new Set(DATASETS)));
    const [{ facts = [] } = {}] = (await connections(660)).data;
    const cancelled = { code: "insurance_cancelled", on: "2026-11-10", source: "motus_inshist" };
    expect(facts).toEqual(isTold ? [cancelled] : []);
    await removeRows(db.pool, "motus_inshist", { docket: "MC661" });
  });

  it.each([
    ["legacy", false],
    ["motus", true],
  ])(
    "call a policy cancelled beside one of the legacy registry while %s gives the status: %s",
    async (source, isTold) => {
      const { db } = service.context;
      await changeRows(db.pool, "authority", { status_source: source }, { docket: "MC661" });
      await put("motus_inshist", {
        docket: "MC661",
        usdot: 661,
        policy_key: "ENDED1",
        cancelled_on: "2026-11-10",
      });
      await put("legacy_actpendinsur", {
        docket: "MC661",
        usdot: 661,
        policy_key: "OTHER1",
        insurance_type: "BIPD/Primary",
      });
      await db.transaction((client) => refreshWords(client, new Set(DATASETS)));
      const [{ facts = [] } = {}] = (await connections(660)).data;
      expect(facts.map(({ code }) => code)).toEqual(isTold ? ["insurance_cancelled"] : []);
      for (const table of ["motus_inshist", "legacy_actpendinsur"])
        await removeRows(db.pool, table, { docket: "MC661" });
    },
  );

  it.each([
    ["legacy", true],
    ["motus", false],
  ])(
    "call a policy cancelled that the legacy registry said would end while %s gives the status: %s",
    async (source, isTold) => {
      const { db } = service.context;
      await changeRows(db.pool, "authority", { status_source: source }, { docket: "MC661" });
      await put("legacy_actpendinsur", {
        docket: "MC661",
        usdot: 661,
        policy_key: "ENDED1",
        insurance_type: "BIPD/Primary",
        cancelled_on: "2026-06-01",
      });
      await db.transaction((client) => refreshWords(client, new Set(DATASETS)));
      const [{ facts = [] } = {}] = (await connections(660)).data;
      const cancelled = { code: "insurance_cancelled", on: "2026-06-01", source: "legacy_actpendinsur" };
      expect(facts).toEqual(isTold ? [cancelled] : []);
      await removeRows(db.pool, "legacy_actpendinsur", { docket: "MC661" });
    },
  );

  it("never show a value that is shared, nor who is left out", async () => {
    const texts = await Promise.all(
      registry.ASKED.map((usdot) => service.get(`/v1/carriers/${usdot}/connections`, key)),
    );
    const text = (await Promise.all(texts.map((answer) => answer.text()))).join();
    for (const secret of registry.SECRETS) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(text).not.toMatch(/"404"|NATURAL PERSON/);
  });

  it("count businesses outside the plan's states, and do not name them", async () => {
    const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["TX"] } });
    const { data, summary } = await connections(401, "", texan);
    expect(data.map(({ usdot }) => usdot)).toEqual(["402"]);
    expect(summary).toMatchObject({ connected: 1, left_out: { persons: 1, outside_regions: 1 } });
  });

  it.each([
    // A phone and a domain of six active companies say nothing of any two; of five, and of 20 in all, they do.
    [410, []],
    [420, registry.range(421, 439).map((usdot) => `${usdot}: phone now, address now`)],
    [440, []],
    [610, registry.range(611, 614).map((usdot) => `${usdot}: phone now, address now`)],
    // Contacts of agents and blanked ones.
    [540, []],
    [545, []],
    // Anybody can have an address at gmail.com. A domain of its own is a sign, but not beside the same address.
    [550, []],
    [553, ["554: phone now, email_domain now"]],
    // A family at one address, and another suite of the same house.
    [560, []],
    [563, []],
    [565, ["566: email now, address now"]],
    // A docket that others have or had: now, by the legacy history, and by a recorded change.
    [570, ["571: docket_moved earlier", "572: docket_moved earlier", "573: docket_moved earlier"]],
    // Both directions of a declaration, also when it was taken back. A number that the registry does not know is none.
    [
      580,
      ["581: declared_predecessor now", "582: declared_predecessor now", "583: declared_predecessor earlier"],
    ],
    // The same number of another insurer, and placeholders, are no policy in common.
    [590, ["591: policy now", "594: policy earlier"]],
    // What one of the two had earlier: a recorded change, an address put together, and the legacy registry's file.
    [600, ["601: phone earlier, address earlier", "602: phone earlier, email earlier"]],
    // The same links from the other side.
    [402, ["401: phone now, address now", "406: phone now, address now"]],
    [573, ["570: docket_moved earlier", "571: docket_moved earlier", "572: docket_moved earlier"]],
    [581, ["580: declared_predecessor now"]],
    [591, ["590: policy now", "594: policy earlier"]],
    [601, ["600: phone earlier, address earlier"]],
    // A franchise's domain is no sign, a filing service's neither; of a virtual office it takes a second one.
    [620, []],
    [625, []],
    [650, []],
    [655, ["658: email_domain now, address now"]],
    // A family looks like a successor. Its member who hauls alone is not named.
    [660, ["661: phone now, address now"]],
    // No link is told of a company by way of another one.
    [665, ["666: phone now, address now"]],
  ])("follow the rules for company %i", async (usdot, expected) => {
    expect(lines(await connections(usdot))).toEqual(expected);
  });

  it("count what is alone", async () => {
    const summaryOf = async (usdot: number) => (await connections(usdot, "?limit=0")).summary;
    const none = { connected: 0, ended: 0, out_of_service: 0, left_out: NOTHING_LEFT_OUT };
    expect(await summaryOf(550)).toEqual({ ...none, by_link: { phone: 1 }, single_links: 1 });
    expect(await summaryOf(545)).toEqual({ ...none, by_link: { address: 1 }, single_links: 1 });
    expect(await summaryOf(560)).toEqual({ ...none, by_link: { address: 2 }, single_links: 2 });
    expect(await summaryOf(620)).toEqual({ ...none, by_link: { phone: 1 }, single_links: 1 });
    expect((await summaryOf(655)).single_links).toBe(3);
    expect((await summaryOf(660)).left_out).toEqual({ persons: 1, outside_regions: 0 });
    for (const usdot of [410, 440, 540, 563, 625, 650])
      expect(await summaryOf(usdot)).toEqual({ ...none, by_link: {}, single_links: 0 });
    expect((await summaryOf(553)).by_link).toEqual({ phone: 1, email: 1, email_domain: 1 });
  });
});
