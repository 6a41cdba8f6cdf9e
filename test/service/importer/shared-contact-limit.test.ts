import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const FEED = "us_small_carriers_active";

let folder: string;
let service: TestService;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-shared-"));
  service = await startTestService({ clock: settableClock("2026-11-20T18:00:00Z") });
  ({ key } = await service.createAccount({ feeds: { [FEED]: null }, rowsPerMonth: 1_000_000 }));
  await generateRegistry({ outDir: folder, carriers: 3_000, seed: 11, firstDay: "2026-11-20", days: 1 });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Imports the same files with a limit. Gives the records and the newest version. */
async function importedWith(sharedContactLimit: number) {
  const { context } = service;
  await importFolder(
    { ...context, config: { ...context.config, sharedContactLimit } },
    { dir: path.join(folder, "day-00"), asOf: null, accept: new Set() },
  );
  const read = async (rest: string) => (await service.get(`/v1/feeds/${FEED}/${rest}`, key)).json();
  const { data } = (await read("records?page_size=1000")) as {
    data: components["schemas"]["SmallCarrierRecord"][];
  };
  const { data: versions } = (await read("versions")) as components["schemas"]["FeedVersionsOut"];
  return { records: data, newest: versions[0], isShown: contactsShown(data) };
}

/** By number of the others who file it, whether a phone or e-mail is shown. */
function contactsShown(records: readonly components["schemas"]["SmallCarrierRecord"][]) {
  const shown = new Map<number, Set<boolean>>();
  for (const { phone, phone_shared_by, email, email_shared_by } of records) {
    for (const [value, others] of [
      [phone, phone_shared_by],
      [email, email_shared_by],
    ] as const) {
      if (others !== null) shown.set(others, (shown.get(others) ?? new Set()).add(value !== null));
    }
  }
  return shown;
}

it("another limit blanks other contacts with the next import, of the same files too, and says that a rule did it", async () => {
  const five = await importedWith(5);
  expect([...five.isShown].filter(([others, isShown]) => others > 0 && isShown.has(true))).not.toEqual([]);
  expect([...five.isShown].filter(([others]) => others >= 5)).not.toEqual([]);
  for (const [others, isShown] of five.isShown)
    if (others >= 5) expect([others, ...isShown]).toEqual([others, false]);

  const one = await importedWith(1);
  for (const [others, isShown] of one.isShown)
    if (others >= 1) expect([others, ...isShown]).toEqual([others, false]);
  const phones = (records: readonly { phone: string | null }[]) =>
    records.filter(({ phone }) => phone !== null).length;
  expect(phones(one.records)).toBeLessThan(phones(five.records));
  expect(one.newest).toMatchObject({ previous: five.newest?.version, cause: "rules", added: 0, removed: 0 });

  expect((await importedWith(1)).newest).toEqual(one.newest);
  expect((await importedWith(5)).records).toEqual(five.records);
});
