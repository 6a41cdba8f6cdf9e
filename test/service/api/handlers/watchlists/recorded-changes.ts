import { afterAll, beforeAll } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { setDetection } from "../../../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { putChange, type Recorded } from "../../../../support/registry/recorded-changes.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export type Changes = components["schemas"]["CarrierChangesOut"];

export const SEEN_AT = "2026-11-20T11:20:05Z";
export const PLAN = { ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 1_000 };

export let service: TestService;
export let key: string;
export let list: number;
export let other: number;

let changeId = 0;
export async function change({
  seenAt = SEEN_AT,
  ...recorded
}: Omit<Recorded, "id" | "seenAt"> & { seenAt?: string }): Promise<void> {
  changeId += 1;
  await putChange(service.context, { ...recorded, id: changeId, seenAt });
}

/** Leaves out so many ids of changes. */
export function skipChanges(count: number): void {
  changeId += count;
}

export async function watch(usdots: readonly string[], sender = key): Promise<number> {
  const made = await service.send("POST", "/v1/watchlists", { key: sender, body: { name: "Clients" } });
  const { id } = (await made.json()) as { id: number };
  await service.send("POST", `/v1/watchlists/${id}/carriers`, { key: sender, body: { usdots } });
  return id;
}

/** Sends the request and checks the answer against the contract. */
export async function ask<Answer = { code: string; detail: unknown }>(
  query: string,
  status: number,
  sender = key,
): Promise<Answer> {
  const answer = await service.get(`/v1/carrier-changes?${query}`, sender);
  const text = await answer.text();
  const one = { operation: "listCarrierChanges", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return JSON.parse(text) as Answer;
}
export const read = (query = "", sender = key) => ask<Changes>(query, 200, sender);
export const linesOf = ({ data }: Changes) =>
  data.map(({ usdot, field, before, after }) => `${usdot} ${field} ${before} > ${after}`);
export const lines = async (query = "", sender = key) => linesOf(await read(query, sender));

export const PHONE = "101 phone 5125550142 > 5125550177";
export const TRUCKS = "102 power_units 3 > 5";
export const INSURER = "101 insurer OLD MUTUAL > NEW MUTUAL";
export const CARGO = "103 cargo produce > produce;meat";
export const ORDER = '101 order {"order_type":"Notice"} > null';

/** A service with recorded changes of carriers, and lists of them. */
export function useRecordedChanges(): void {
  beforeAll(async () => {
    service = await startTestService();
    const { db } = service.context;
    await putRows(
      db.pool,
      "authority",
      ...[101, 102, 103, 104].map((usdot) => ({
        usdot,
        docket: `MC${usdot}`,
        registry_state: usdot === 102 ? "OH" : "TX",
      })),
    );
    await setDetection(db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
    await putRows(db.pool, "recorded_field", {
      source: "census",
      field: "phone",
      since: "2026-09-01T00:00:00Z",
    });
    await change({
      usdot: 101,
      category: "order",
      field: "order",
      before: { order_type: "Notice" },
      after: null,
      seenAt: "2026-11-10T11:20:05Z",
    });
    await change({
      usdot: 101,
      category: "contact",
      field: "phone",
      before: "5125550142",
      after: "5125550177",
    });
    await change({ usdot: 102, category: "fleet", field: "power_units", before: 3, after: 5 });
    await change({
      usdot: 101,
      docket: "MC101",
      category: "insurance",
      field: "insurer",
      item: { insurance_type: "bipd", policy_no: "AB1" },
      before: "OLD MUTUAL",
      after: "NEW MUTUAL",
      on: "2026-11-18",
      source: "motus_insur",
    });
    await change({ usdot: 104, category: "fleet", field: "drivers", before: 1, after: 2 });
    await change({
      usdot: 103,
      category: "census",
      field: "cargo",
      before: ["produce"],
      after: ["produce", "meat"],
    });
    key = (await service.createAccount(PLAN)).key;
    list = await watch(["101", "102"]);
    other = await watch(["103"]);
  });
  afterAll(() => service.stop());
}
