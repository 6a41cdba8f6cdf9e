// The changes of the category "connection": links of watched carriers that began or ended from one import to the next.
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import type { components } from "../../../src/generated/types.ts";
import { lockChanges } from "../../../src/registry/changes/record-links.ts";
import { DATASETS } from "../../../src/registry/datasets.ts";
import { refreshWords } from "../../../src/registry/vocabularies/words.ts";
import { setDetection } from "../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../support/feeds/every-feed.ts";
import { AS_OF } from "../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { putChanges } from "../../support/registry/recorded-changes.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../support/removals/removals.ts";
import { changeRows, putRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type Changes = components["schemas"]["CarrierChangesOut"];

const SMALL = "us_small_carriers_active";
/** The watched carrier, and one whose phone it takes over. */
const [WATCHED, OTHER, PERSON, COMMON, NEWCOMER] = [701, 702, 703, 710, 720];
const PHONE = "5125550702";
/** Of six active companies: it links nobody until one of them ends. */
const FRANCHISE = "5125550710";

let service: TestService;
let key: string;

const company = (usdot: number, own: object = {}) => ({
  usdot,
  legal_name: `COMPANY ${usdot} LLC`,
  street: `${usdot} OWN RD`,
  is_individual: false,
  phone: null,
  cell_phone: null,
  email: null,
  prior_usdot: null,
  ...own,
});

const put = async (...companies: ReturnType<typeof company>[]): Promise<void> => {
  for (const row of companies) await putRows(service.context.db.pool, "census", row);
  const held = companies.map(({ usdot }) => ({ usdot, docket: `MC${usdot}`, registry_state: "TX" }));
  await putRows(service.context.db.pool, "authority", ...held);
};

beforeAll(async () => {
  service = await startTestService();
  const { db } = service.context;
  await put(
    company(WATCHED),
    company(OTHER, { phone: PHONE }),
    company(PERSON, { phone: PHONE, legal_name: "JANE SAMPLE", is_individual: true }),
    company(COMMON, { phone: FRANCHISE }),
    ...[711, 712, 713, 714, 715].map((usdot) => company(usdot, { phone: FRANCHISE })),
  );
  await db.transaction((client) => refreshWords(client, new Set(DATASETS)));
  await setDetection(db, { finishedAt: service.clock.now().toISOString(), asOf: AS_OF });
  ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 1_000 }));
  const created = await service.send("POST", "/v1/watchlists", { key, body: { name: "Clients" } });
  const { id } = (await created.json()) as { id: number };
  const usdots = [WATCHED, COMMON].map(String);
  await service.send("POST", `/v1/watchlists/${id}/carriers`, { key, body: { usdots } });
});
afterAll(() => service.stop());

/** What an import does at the end, and the service after it. */
async function importAgain(): Promise<void> {
  await publishFeed(service.context.db, SMALL, {
    records: [feedRecord(SMALL, { dot_number: String(WATCHED), state: "TX" })],
    asOf: AS_OF,
    now: service.clock.now(),
  });
  await updateSharedValues(service.context);
}

/** A company files another phone, which the import records. */
async function filePhone(usdot: number, before: string | null, after: string | null): Promise<void> {
  const { db } = service.context;
  await changeRows(db.pool, "census", { phone: after }, { usdot });
  const change = { usdot, category: "contact", field: "phone", before, after };
  await putChanges(db, [change], service.clock.now());
}

async function changes(query = ""): Promise<Changes> {
  const answer = await service.get(`/v1/carrier-changes?category=connection${query}`, key);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Changes;
}

const lines = async (): Promise<string[]> =>
  (await changes()).data.map(({ usdot, field, before, after }) => `${usdot} ${field}: ${before} > ${after}`);

it("are none the first time: there is nothing to compare with", async () => {
  await importAgain();
  const { data, meta } = await changes();
  expect(data).toEqual([]);
  expect(meta.recorded_since.connection).toBe(service.clock.now().toISOString());
});

it("tell of a link that a recorded change made, and name neither the value nor the business", async () => {
  await filePhone(WATCHED, null, PHONE);
  await importAgain();
  const { data } = await changes();
  expect(data).toEqual([
    {
      id: expect.any(Number),
      usdot: String(WATCHED),
      category: "connection",
      field: "phone",
      docket_number: null,
      authority_type: null,
      insurance_type: null,
      policy_no: null,
      before: null,
      after: "now",
      on: null,
      seen_at: service.clock.now().toISOString(),
      source_dataset: "census",
    },
  ]);
  const stored = await service.context.db.pool.query(
    "SELECT usdot FROM carrier_change WHERE category = 'connection' ORDER BY usdot",
  );
  // Nothing of the person, who has the phone too.
  expect(stored.rows.map(({ usdot }) => usdot)).toEqual([WATCHED, OTHER]);
});

it("are none for a value that became rare enough to count", async () => {
  const { db } = service.context;
  await changeRows(db.pool, "census", { status_code: "I" }, { usdot: 715 });
  const ended = { usdot: 715, category: "census", field: "usdot_status", before: "A", after: "I" };
  await putChanges(db, [ended], service.clock.now());
  await importAgain();
  const shared = await db.pool.query("SELECT FROM shared_value WHERE value = $1", [FRANCHISE]);
  expect(shared.rowCount).toBe(6);
  expect(await lines()).toEqual([`${WATCHED} phone: null > now`]);
});

it("tell of a company that appears with the phone of a watched one", async () => {
  await put(company(NEWCOMER, { phone: PHONE }));
  const appeared = { usdot: NEWCOMER, category: "census", field: "usdot_status", before: null, after: "A" };
  await putChanges(service.context.db, [appeared], service.clock.now());
  await importAgain();
  expect(await lines()).toEqual([`${WATCHED} phone: null > now`, `${WATCHED} phone: null > now`]);
});

it("are nothing that a removed business or a blanked contact leaves, at once", async () => {
  const { db } = service.context;
  await removeBusinesses(db, [OTHER]);
  expect(await lines()).toHaveLength(1);
  await undoRemovals(db);
  await blankContacts(db, [PHONE], service.clock.now());
  expect(await lines()).toEqual([]);
  await unblankContacts(db);
  expect(await lines()).toHaveLength(2);
});

it("wait while an import records changes, and are recorded once by several processes", async () => {
  await filePhone(WATCHED, PHONE, "5125550799");
  await service.context.db.transaction(async (client) => {
    await lockChanges(client);
    await importAgain();
  });
  expect(await lines()).toHaveLength(2);
  await Promise.all(Array.from({ length: 4 }, () => updateSharedValues(service.context)));
  const ended = `${WATCHED} phone: now > earlier`;
  expect((await lines()).slice(2)).toEqual([ended, ended]);
});

it("are in the carrier's timeline", async () => {
  const answer = await service.get(`/v1/carriers/${WATCHED}/timeline?category=connection`, key);
  const { data } = (await answer.json()) as components["schemas"]["TimelineOut"];
  expect(data.map(({ action, field, after }) => `${action} ${field} ${after}`)).toEqual([
    "changed phone now",
    "changed phone now",
    "changed phone earlier",
    "changed phone earlier",
  ]);
});
