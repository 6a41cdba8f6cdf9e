// Events of a made-up registry against the contract: types of members, listed values.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { declaredAnswer, documentedSchema } from "../../contract/prism/contract-document.ts";
import { settableClock } from "../../support/clock.ts";
import { generateDays } from "../../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type EventsOut = components["schemas"]["EventsOut"];

let folder: string;
let service: TestService;
let page: EventsOut;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-documented-"));
  const days = await generateDays(folder, { seed: 7, count: 3 });
  service = await startTestService({ clock: settableClock(days[0]?.now ?? "") });
  for (const { dir, now } of days) {
    service.clock.set(now);
    await importFolder(service.context, { dir, asOf: null, accept: new Set() });
  }
  const feeds = Object.fromEntries(FEEDS.map(({ code }) => [code, null]));
  const { key } = await service.createAccount({ feeds, rowsPerMonth: 1_000_000 });
  page = (await (
    await service.get("/v1/events?limit=1000&since=2020-01-01T00:00:00Z", key)
  ).json()) as EventsOut;
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it("every event fits the contract, and has no member that is not in the contract", () => {
  expect(new Set(page.data.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
  const validate = declaredAnswer("listEvents", 200)?.content.get("application/json")?.validate;
  expect([validate?.(page), validate?.errors]).toEqual([true, null]);
  const known = new Set(Object.keys(documentedSchema("EventData").properties ?? {}));
  const members = new Set(page.data.flatMap(({ data }) => Object.keys(data ?? {})));
  expect([...members].filter((name) => !known.has(name))).toEqual([]);
  expect(members.size).toBeGreaterThan(5);
});

it("every value of a list that may grow is listed in the contract", () => {
  const listed = (schema: string, name: string): unknown[] =>
    documentedSchema(schema).properties?.[name]?.examples ?? [];
  for (const name of ["source_dataset", "verify_method"] as const) {
    const values = new Set(page.data.map((event) => event[name]));
    expect([...values].filter((value) => !listed("EventOut", name).includes(value ?? null))).toEqual([]);
  }
  for (const name of ["authority_type", "status_before", "status_after"] as const) {
    const values = new Set(page.data.map(({ data }) => data?.[name]));
    expect([...values].filter((value) => !listed("EventData", name).includes(value ?? null))).toEqual([]);
    expect(values.size).toBeGreaterThan(1);
  }
});
