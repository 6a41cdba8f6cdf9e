// Names as businesses file them, in the CSV that customers open in a spreadsheet.
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishFeeds } from "../../../../src/feeds/publish/publish.ts";
import { putRegistryRow } from "../../../support/registry/registry-rows.ts";
import { everySourceOf } from "../../../support/registry/source-days.ts";
import { putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
/** Signs that make a spreadsheet compute, split or import a cell when it begins with one of them. */
const GUARDED = ["=", "+", "-", "@", "＝", "＋", "－", "＠", ";", "|", "%", "\u2212"];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it("a name that a spreadsheet would not read as text begins with an apostrophe, and no other does", async () => {
  const guarded = GUARDED.flatMap((sign) => [`${sign}1+2 LLC`, ` ${sign}A "B" LLC`]);
  const plain = [..."'#$&*(.1A", ...GUARDED.map((sign) => `A${sign}`)].map((start) => `${start} LLC`);
  const names = [...guarded, ...plain];
  await service.context.db.bulkTransaction(async (client) => {
    for (const [index, name] of names.entries()) {
      await putRegistryRow(client, "census", { usdot: 1001 + index, legal_name: name });
      const [docket, usdot] = [`MC${1001 + index}`, 1001 + index];
      await putRows(client, "authority", { docket, usdot, authority_class: "broker" });
    }
    await publishFeeds(client, {
      sourceDays: everySourceOf("2026-11-20"),
      now: service.clock.now(),
      sharedContactLimit: 5,
      hasRegistryChanged: true,
    });
  });
  const { key } = await service.createAccount({ feeds: { [BROKERS]: null } });
  const csv = await (await service.get(`/v1/feeds/${BROKERS}/export.csv`, key)).text();
  const rows = parse(csv, { columns: true }) as { company: string }[];
  expect(rows.map(({ company }) => company)).toEqual([...guarded.map((name) => `'${name}`), ...plain]);
});
