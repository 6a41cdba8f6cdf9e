import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import type { Dataset } from "../../../../../src/registry/datasets.ts";
import { refreshWords } from "../../../../../src/registry/vocabularies/words.ts";
import type { ContractCase } from "../../../../contract/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { setDetection } from "../../../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { blankContacts, removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { putRows, removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const SMALL = "us_small_carriers_active";
const USDOT = 301;
const DOCKET = "MC301";
/** A docket that another company had before. */
const HANDED_ON = "MC302";
/** A company whose authorities have no docket. */
const UNNUMBERED = 305;

type Timeline = components["schemas"]["TimelineOut"];

const DATASETS: Dataset[] = [
  "motus_authhist",
  "motus_revokesuspend",
  "motus_insur",
  "motus_inshist",
  "legacy_authhist",
  "legacy_insur",
  "legacy_actpendinsur",
  "legacy_inshist",
];

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  const { db } = service.context;
  await publishFeed(db, SMALL, {
    records: [USDOT, 303, UNNUMBERED].map((usdot) =>
      feedRecord(SMALL, { dot_number: String(usdot), state: "TX" }),
    ),
    asOf: AS_OF,
    now: service.clock.now(),
  });
  await putRows(
    db.pool,
    "authority",
    { usdot: USDOT, docket: DOCKET },
    { usdot: USDOT, docket: HANDED_ON },
    { usdot: 398, docket: HANDED_ON },
    { usdot: 303, docket: "MC303" },
    { usdot: UNNUMBERED, docket: `DOT${UNNUMBERED}` },
    { usdot: UNNUMBERED, docket: `DOT${UNNUMBERED}`, authority_class: "broker" },
  );
  ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 1_000 }));
});
afterAll(() => service.stop());

/** Puts rows of the registry, with the meanings of their words. */
async function put(...rows: [table: string, row: Parameters<typeof putRegistryRow>[2]][]): Promise<void> {
  await service.context.db.transaction(async (client) => {
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
    await refreshWords(client, new Set(DATASETS));
  });
}

/** Sends the request and checks the answer against the contract. */
async function ask(
  query: string,
  sender = key,
  status = 200,
  usdot: string | number = USDOT,
): Promise<string> {
  const answer = await service.get(`/v1/carriers/${usdot}/timeline${query}`, sender);
  const text = await answer.text();
  const one = { operation: "readTimeline", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return text;
}

const timeline = async (query = "", sender = key): Promise<Timeline> => JSON.parse(await ask(query, sender));

const lines = async (category: string) =>
  (await timeline(`?category=${category}`)).data.map(
    ({ on, action, docket_number, details }) =>
      `${on} ${action} ${docket_number} ${[details.words, details.served_on, details.effective_on, details.ended_on, details.previous_insurer, details.insurer].filter(Boolean).join(" | ")}`,
  );

describe("a timeline", () => {
  it("of authorities tells each move once, whichever registry has it", async () => {
    const history = { docket: DOCKET, usdot: USDOT };
    await put(
      ["motus_authhist", { ...history, status: "active", reason: "Granted", changed_on: "2026-02-25" }],
      [
        "motus_authhist",
        {
          ...history,
          status: "inactive",
          reason: "Involuntary Suspension - Insurance",
          changed_on: "2026-05-01",
        },
      ],
      ["motus_authhist", { ...history, status: "active", reason: "Reinstated", changed_on: "2026-05-20" }],
      [
        "motus_authhist",
        { ...history, status: "active", reason: "Initial Status", changed_on: "2026-01-01" },
      ],
      [
        "motus_authhist",
        { ...history, status: "inactive", reason: "A new reason", changed_on: "2026-06-01" },
      ],
      ["legacy_authhist", { ...history, action: "GRANTED", action_on: "2026-02-25" }],
      [
        "legacy_authhist",
        {
          ...history,
          action: "GRANTED",
          action_on: "1986-07-18",
          final_action: "REVOKED",
          final_on: "2021-06-08",
        },
      ],
      ["legacy_authhist", { ...history, action: "DISMISSED", action_on: "1985-01-01" }],
      // Another company's, or nobody knows whose.
      [
        "motus_authhist",
        { docket: HANDED_ON, usdot: 398, status: "active", reason: "Granted", changed_on: "2010-01-01" },
      ],
      [
        "motus_authhist",
        { docket: HANDED_ON, usdot: null, status: "active", reason: "Granted", changed_on: "2010-01-02" },
      ],
      // A row that names no company is about the only one that has the docket.
      [
        "motus_authhist",
        { docket: DOCKET, usdot: null, status: "withdrawn", reason: "Withdrawn", changed_on: "2020-01-01" },
      ],
    );
    expect(await lines("authority")).toEqual([
      `2026-06-01 status_changed ${DOCKET} inactive: A new reason`,
      `2026-05-20 reinstated ${DOCKET} active: Reinstated`,
      `2026-05-01 suspended ${DOCKET} inactive: Involuntary Suspension - Insurance`,
      `2026-02-25 granted ${DOCKET} active: Granted`,
      `2021-06-08 ended ${DOCKET} REVOKED`,
      `2020-01-01 withdrawn ${DOCKET} withdrawn: Withdrawn`,
      `1986-07-18 granted ${DOCKET} GRANTED`,
    ]);
  });

  it("of orders has an order and its discontinuation as one entry", async () => {
    const history = { docket: DOCKET, usdot: USDOT };
    await put(
      [
        "legacy_authhist",
        {
          ...history,
          action: "INVOLUNTARY REVOCATION",
          action_on: "2005-11-07",
          final_action: "DISCONTINUED REVOCATION",
          final_on: "2005-11-29",
        },
      ],
      [
        "legacy_revocation",
        { ...history, served_on: "2005-11-07", effective_on: "2005-12-10", order_type: "INVOLUNTARY" },
      ],
      [
        "legacy_revocation",
        { ...history, served_on: "2001-01-05", effective_on: "2001-02-05", order_type: "INVOLUNTARY" },
      ],
      ["motus_revokesuspend", { ...history, served_on: "2026-09-01", effective_on: "2026-10-01" }],
      [
        "motus_authhist",
        { ...history, status: "active", reason: "Discontinued Revocation", changed_on: "2026-09-15" },
      ],
      [
        "motus_revokesuspend",
        { docket: null, usdot: USDOT, served_on: "2026-11-10", effective_on: "2026-12-10" },
      ],
    );
    const notice = "Operating Authority Involuntary Suspension Notice";
    // Its order is in no file any more.
    await put([
      "motus_authhist",
      { ...history, status: "active", reason: "Discontinued Revocation", changed_on: "2019-03-01" },
    ]);
    expect(await lines("order")).toEqual([
      `2026-11-10 order_served null ${notice} | 2026-11-10 | 2026-12-10`,
      `2026-09-01 order_discontinued ${DOCKET} ${notice} | 2026-09-01 | 2026-10-01 | 2026-09-15`,
      `2019-03-01 order_discontinued ${DOCKET} Discontinued Revocation | 2019-03-01`,
      `2005-11-07 order_discontinued ${DOCKET} INVOLUNTARY REVOCATION | 2005-11-07 | 2005-12-10 | 2005-11-29`,
      `2001-01-05 order_served ${DOCKET} INVOLUNTARY | 2001-01-05 | 2001-02-05`,
    ]);
  });

  it("of orders has no day of service that has not come, and finds the recorded change all the same", async () => {
    const { db } = service.context;
    await setDetection(db, { finishedAt: `${AS_OF}T11:20:05Z`, asOf: AS_OF });
    const notice = { docket: "MC303", usdot: 303, served_on: "2026-11-28", effective_on: "2026-12-28" };
    await put(["motus_revokesuspend", notice]);
    await putRows(db.pool, "carrier_change", {
      ...change(7, "order", "order", null, { order_type: "Notice" }, "2026-11-28"),
      docket: "MC303",
      usdot: 303,
    });
    const { data } = JSON.parse(await ask("", key, 200, 303)) as Timeline;
    expect(data.map(({ on, seen_at, action, details }) => [on, seen_at, action, details.served_on])).toEqual([
      ["2026-12-28", SEEN_AT, "order_served", null],
    ]);
    await removeRows(db.pool, "motus_revokesuspend", { docket: "MC303" });
    await removeRows(db.pool, "carrier_change", { usdot: 303 });
    await setDetection(db, null);
  });

  it("of policies has no renewal by the same insurer, and one entry for a replacement", async () => {
    const policy = { docket: DOCKET, usdot: USDOT, type_code: "1" };
    const [FIRST, SECOND] = ["FIRST MUTUAL CO", "SECOND MUTUAL CO"];
    await put(
      [
        "motus_insur",
        {
          ...policy,
          class_code: "P",
          policy_key: "C",
          insurer: SECOND,
          effective_on: "2026-03-01",
          filed_on: "2026-03-01",
        },
      ],
      [
        "motus_inshist",
        {
          ...policy,
          policy_key: "B",
          insurer: "First Mutual Co.",
          effective_on: "2025-03-01",
          cancelled_on: "2026-03-01",
          filing_status: "REPLACED",
        },
      ],
      [
        "motus_inshist",
        {
          ...policy,
          policy_key: "A",
          insurer: FIRST,
          effective_on: "2024-03-01",
          cancelled_on: "2025-03-01",
          filing_status: "TERM REPL",
        },
      ],
      // The same policy in two files.
      [
        "motus_insur",
        {
          ...policy,
          class_code: "P",
          policy_key: "A",
          insurer: FIRST,
          effective_on: "2024-03-01",
          filed_on: "2024-02-20",
        },
      ],
      [
        "motus_inshist",
        {
          ...policy,
          type_code: "2",
          policy_key: "X",
          insurer: FIRST,
          effective_on: "2024-01-01",
          cancelled_on: "2026-12-24",
          filing_status: "CANCEL",
        },
      ],
    );
    expect(await lines("insurance")).toEqual([
      `2026-12-24 policy_cancelled ${DOCKET} 2024-01-01 | 2026-12-24 | ${FIRST}`,
      `2026-03-01 policy_replaced ${DOCKET} 2026-03-01 | First Mutual Co. | ${SECOND}`,
      `2024-02-20 policy_filed ${DOCKET} 2024-03-01 | 2025-03-01 | ${FIRST}`,
      `2024-01-01 policy_filed ${DOCKET} 2024-01-01 | 2026-12-24 | ${FIRST}`,
    ]);
  });

  it("has out-of-service orders, and recorded changes with both days and both values", async () => {
    await put([
      "oos_order",
      { usdot: USDOT, ordered_on: "2026-08-01", reason: "NEW ENTRANT", rescinded_on: "2026-08-09" },
    ]);
    await putRows(
      service.context.db.pool,
      "carrier_change",
      change(1, "contact", "phone", "5125550142", "5125550177", "2026-11-18"),
      change(2, "census", "cargo", ["produce"], ["produce", "other"], null),
      // An order that no file has any more is told as it was recorded; a policy that the histories have is not.
      {
        ...change(5, "order", "order", { order_type: "Notice" }, null, "2026-07-01"),
        docket: DOCKET,
      },
      {
        ...change(6, "insurance", "policy", null, { insurer: "SECOND MUTUAL CO" }, "2026-03-01"),
        docket: DOCKET,
        item: JSON.stringify({ policy_no: "C" }),
      },
      // What the histories tell already; the second day of it is in their entry.
      {
        ...change(3, "authority", "status_change", null, { status: "active" }, "2026-05-20"),
        docket: DOCKET,
      },
      { ...change(4, "authority", "status", "inactive", "active", "2026-05-20"), docket: DOCKET },
    );
    await putRows(service.context.db.pool, "recorded_field", {
      source: "census",
      field: "phone",
      since: "2026-11-15T11:20:05Z",
    });
    const { data, recorded_since } = await timeline();
    expect(recorded_since).toEqual({ contact: "2026-11-15T11:20:05.000Z" });
    const changed = data.filter(({ action }) => action === "changed");
    expect(
      changed.map(({ on, seen_at, field, before, after }) => [on, seen_at, field, before, after]),
    ).toEqual([
      [null, SEEN_AT, "cargo", "produce", "produce;other"],
      ["2026-11-18", SEEN_AT, "phone", "5125550142", "5125550177"],
      ["2026-07-01", SEEN_AT, "order", '{"order_type":"Notice"}', null],
    ]);
    expect(data.find(({ action }) => action === "reinstated")?.seen_at).toBe(SEEN_AT);
    expect(await lines("out_of_service")).toEqual([
      "2026-08-01 placed_out_of_service null NEW ENTRANT | 2026-08-09",
    ]);
    await blankContacts(service.context.db, ["5125550142", "5125550177"], service.clock.now());
    expect(JSON.stringify(await timeline())).not.toContain("5125550177");
    await undoRemovals(service.context.db);
  });

  it("of an authority without a docket tells each move and policy once, with the day it was seen", async () => {
    // The tables of the registry's rows have the key of such an authority, and changes have none.
    const history = { docket: `DOT${UNNUMBERED}`, usdot: UNNUMBERED };
    await put(
      ["motus_authhist", { ...history, status: "active", reason: "Granted", changed_on: "2026-11-10" }],
      [
        "motus_authhist",
        {
          ...history,
          status: "inactive",
          reason: "Administrative Status Adjustment",
          changed_on: "2026-11-12",
        },
      ],
      [
        "motus_insur",
        {
          ...history,
          policy_no: "U-1",
          policy_key: "U1",
          insurer: "FIRST MUTUAL CO",
          effective_on: "2026-11-09",
          filed_on: "2026-11-09",
        },
      ],
    );
    const granted = { status: "active", reason: "Granted", changed_on: "2026-11-10" };
    const carrier = { item: JSON.stringify({ authority_type: "carrier_property" }) };
    const broker = { item: JSON.stringify({ authority_type: "broker" }) };
    const policy = { item: JSON.stringify({ insurance_type: "1", policy_no: "U1" }) };
    await putRows(
      service.context.db.pool,
      "carrier_change",
      ...[
        { ...change(21, "authority", "status_change", null, granted, "2026-11-10"), ...carrier },
        { ...change(22, "authority", "status", "pending", "active", "2026-11-10"), ...carrier },
        {
          ...change(23, "insurance", "policy", null, { insurer: "FIRST MUTUAL CO" }, "2026-11-09"),
          ...policy,
        },
        // No file has this row of another authority any more.
        { ...change(24, "authority", "status_change", granted, null, "2026-11-10"), ...broker },
        // A correction of the registry's data is no move, but this one ended the authority.
        { ...change(25, "authority", "status", "active", "inactive", "2026-11-12"), ...carrier },
      ].map((row) => ({ ...row, usdot: UNNUMBERED })),
    );
    const { data } = JSON.parse(await ask("", key, 200, UNNUMBERED)) as Timeline;
    expect(
      data.map(({ on, action, field, authority_type, seen_at }) => [
        on,
        action,
        field,
        authority_type,
        seen_at,
      ]),
    ).toEqual([
      ["2026-11-12", "changed", "status", "carrier_property", SEEN_AT],
      ["2026-11-10", "granted", null, "carrier_property", SEEN_AT],
      ["2026-11-10", "changed", "status_change", "broker", SEEN_AT],
      ["2026-11-09", "policy_filed", null, null, SEEN_AT],
    ]);
    expect(data.every(({ docket_number }) => docket_number === null)).toBe(true);
  });

  it("is read page by page, each once, also when an entry comes meanwhile", async () => {
    const { data: whole } = await timeline("?limit=500");
    expect(whole.length).toBeGreaterThan(15);
    const days = whole.map(({ on, seen_at }) => on ?? seen_at?.slice(0, 10) ?? "");
    expect(days).toEqual(days.toSorted().reverse());
    const read: Timeline["data"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Timeline = await timeline(`?limit=4${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data);
      cursor = page.next_cursor;
      if (read.length === 4)
        await put(["oos_order", { usdot: USDOT, ordered_on: "2027-01-01", reason: "UNSATISFACTORY" }]);
    }
    expect(read).toEqual(whole);
    expect(
      (await timeline("?since=2026-09-01")).data.every(
        ({ on, seen_at }) => (on ?? seen_at ?? "") >= "2026-09-01",
      ),
    ).toBe(true);
    const first = await timeline("?limit=1");
    for (const query of [
      `?category=order&cursor=${first.next_cursor}`,
      "?cursor=x",
      "?limit=501",
      "?since=soon",
      "?category=A",
    ]) {
      await ask(query, key, 422);
    }
  });

  it("costs one row a page, and is the lookup's 404 where the plan does not see the carrier", async () => {
    const { key: one } = await service.createAccount({
      ...AMPLE,
      feeds: { [SMALL]: ["TX"] },
      rowsPerMonth: 1,
    });
    expect((await timeline("?limit=2", one)).data).toHaveLength(2);
    await ask("", one, 429);
    const { key: elsewhere } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["OH"] } });
    const missing = await ask("", elsewhere, 404);
    const lookup = await (await service.get(`/v1/carriers/${USDOT}`, elsewhere)).text();
    const without = (text: string) => text.replaceAll(/"(request_id|instance)":"[^"]*"/g, "");
    expect(without(missing)).toBe(without(lookup));
    await removeBusinesses(service.context.db, [USDOT]);
    await ask("", key, 404);
    await undoRemovals(service.context.db);
    expect((JSON.parse(await ask("", key, 200, 303)) as Timeline).data).toEqual([]);
  });

  it("without an entry costs nothing, as HEAD tells too", async () => {
    const path = `/v1/carriers/${USDOT}/timeline?since=2030-01-01`;
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await service.send(method, path, { key });
      expect([status, headers.get("x-quota-cost")]).toEqual([200, "0"]);
    }
  });
});

const SEEN_AT = "2026-11-19T11:20:05.000Z";

const change = (
  id: number,
  category: string,
  field: string,
  before: unknown,
  after: unknown,
  on: string | null,
) => ({
  id,
  usdot: USDOT,
  docket: null as string | null,
  category,
  field,
  item: JSON.stringify({}),
  old_value: JSON.stringify(before),
  new_value: JSON.stringify(after),
  registry_on: on,
  as_of: "2026-11-18",
  seen_at: SEEN_AT,
  source: "census",
});
