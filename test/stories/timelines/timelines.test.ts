// Timelines of made-up and real companies, each compared with one that was written by hand from the rows of the files.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { ALL_FEEDS, AMPLE } from "../../support/feeds/every-feed.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { AUTHORITY_COMPANIES } from "./authority-companies.ts";
import { FILING_COMPANIES } from "./filing-companies.ts";
import { INSURANCE_COMPANIES } from "./insurance-companies.ts";
import { REAL_COMPANIES } from "./real-companies.ts";
import { writeDay } from "./registry-files.ts";
import { RETURNING_COMPANIES } from "./returning-companies.ts";

type Timeline = components["schemas"]["TimelineOut"];

const COMPANIES = [
  ...AUTHORITY_COMPANIES,
  ...RETURNING_COMPANIES,
  ...INSURANCE_COMPANIES,
  ...FILING_COMPANIES,
  ...REAL_COMPANIES,
];
const DAYS = ["2026-11-17", "2026-11-18", "2026-11-19"];
/** A file with few rows may lose one of them, and lacks files that nobody needs here. */
const ACCEPTED = ["missing-source", "lost-rows:motus_inshist", "lost-rows:motus_revokesuspend"];

let folder: string;
let service: TestService;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-timelines-"));
  service = await startTestService({ clock: settableClock(`${DAYS[0]}T18:00:00Z`) });
  ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS }));
  for (const [day, date] of DAYS.entries()) {
    const dir = path.join(folder, date);
    await writeDay(dir, COMPANIES, { day, date });
    service.clock.set(`${date}T18:00:00Z`);
    await importFolder(service.context, { dir, asOf: null, accept: new Set(ACCEPTED) });
    await updateSharedValues(service.context);
  }
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function timelineOf(usdot: number): Promise<Timeline> {
  const answer = await service.get(`/v1/carriers/${usdot}/timeline?limit=500`, key);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Timeline;
}

/** An entry with everything that it tells, in the order: days, what, whose, the facts, the file. */
function lineOf(entry: Timeline["data"][number]): string {
  const day = [entry.on ?? "no day", entry.seen_at && `(seen ${entry.seen_at.slice(0, 10)})`];
  const what = [entry.category, entry.action, entry.docket_number, entry.authority_type];
  const facts = Object.entries(entry.details).flatMap(([name, value]) =>
    value === null ? [] : `${name}=${value}`,
  );
  const change = entry.field === null ? [] : `${entry.field}: ${entry.before} > ${entry.after}`;
  const words = [...day, ...what].filter(Boolean).join(" ");
  const told = [...facts, change].flat().join(" ");
  return `${words}${told && `, ${told}`} [${entry.source_dataset}]`;
}

it("are those of at least twenty companies, three of them real", () => {
  expect(COMPANIES.length).toBeGreaterThanOrEqual(20);
  expect(REAL_COMPANIES).toHaveLength(3);
});

it.each(COMPANIES)("USDOT number $usdot: $shows", async ({ usdot, timeline }) => {
  const { data } = await timelineOf(usdot);
  expect(data.map(lineOf).toSorted()).toEqual(timeline.toSorted());
  const days = data.map(({ on, seen_at }) => on ?? seen_at?.slice(0, 10) ?? "");
  expect(days).toEqual(days.toSorted().reverse());
});

it("tell of each category that the files have since when it is recorded", async () => {
  const { recorded_since } = await timelineOf(801);
  const first = `${DAYS[0]}T18:00:00.000Z`;
  for (const category of [
    "authority",
    "order",
    "insurance",
    "out_of_service",
    "name",
    "address",
    "contact",
    "fleet",
  ])
    expect([category, recorded_since[category as keyof typeof recorded_since]]).toEqual([category, first]);
  expect(recorded_since).toMatchObject({ census: first, connection: first });
});
