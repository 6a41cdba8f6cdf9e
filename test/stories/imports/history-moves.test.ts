// FMCSA may move the history of the legacy registry into the Motus files on one day.
import { afterAll, beforeAll, expect, it } from "vitest";
import { importFolder } from "../../../src/importer/import.ts";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const MOVED = 2;

let service: TestService;
let folders: RegistryFolders;

beforeAll(async () => {
  service = await startTestService({ clock: settableClock("2026-11-20T12:00:00Z") });
  folders = await registryFolders({
    carriers: 3_000,
    seed: 11,
    firstDay: "2026-11-17",
    days: MOVED + 1,
    historyMovesOn: MOVED,
  });
  for (let day = 0; day < MOVED; day += 1) await importDay(day);
});
afterAll(async () => {
  await service.stop();
  await folders.close();
});

const importDay = (day: number, ...accept: string[]): Promise<ImportReport> =>
  importFolder(service.context, { dir: folders.day(day), asOf: null, accept: new Set(accept) });

it("is imported with one name and without a flood of events", async () => {
  await expect(importDay(MOVED)).rejects.toThrow(
    /^\d+ of the \d+ new dockets of Motus Carrier are the legacy registry's: its history moved into Motus; .*--accept history-moves\.$/,
  );
  const report = await importDay(MOVED, "history-moves");
  expect(report.changes.motus_carrier?.inserted).toBeGreaterThan(500);
  expect(Object.values(report.events).reduce((all, count) => all + count, 0)).toBeLessThan(20);
});
