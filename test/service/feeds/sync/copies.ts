import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { setPlanRegions } from "../../../support/accounts.ts";
import { AMPLE } from "../../../support/feeds/every-feed.ts";
import type { FeedRecord } from "../../../support/feeds/published-feed.ts";
import { requestRemoval, undoRequest } from "../../../support/removals/requests.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { BROKERS, broker, type Changes, publish as publishOn, read } from "../../api/feeds/synced-feed.ts";

export let service: TestService;
export let key: string;
let planCode: string;
export let accountId: number;

export const HOUR_MS = 3_600_000;
export const publish = (records: readonly FeedRecord[]): Promise<number> =>
  publishOn(service, records, { asOf: service.clock.now().toISOString().slice(0, 10) });

export const remove = (removed: { usdots?: readonly number[]; phone?: string }) =>
  requestRemoval(service.context, removed, service.clock.now());
export const undo = (requestId: number) => undoRequest(service.context, requestId, service.clock.now());
export const setRegions = (regions: string[] | null, plan = planCode) =>
  setPlanRegions(service.context, plan, { [BROKERS]: regions });

export const changes = (query: string, sender = key): Promise<Changes> =>
  read(service, `${BROKERS}/changes?${query}`, sender);
export const entries = ({ data }: Changes): string[] =>
  data
    .map((entry) => `${entry.op} ${entry.record_id[0]} ${"reason" in entry ? entry.reason : ""}`.trim())
    .sort();
const page = (sender = key) =>
  read<components["schemas"]["RecordsOut"]>(service, `${BROKERS}/records`, sender);

/** A copy: its version, and the number of its checkpoint. */
interface Copy {
  version: number;
  removals: number;
}
export async function readCopy(sender = key): Promise<Copy> {
  const { meta } = await page(sender);
  return { version: meta.version, removals: meta.checkpoint?.removals ?? -1 };
}
/** What a keeper of a copy is told, and the copy afterwards. */
export async function poll({ version, removals }: Copy, query = ""): Promise<[string[], Copy]> {
  const answer = await changes(`since_version=${version}&since_removals=${removals}${query}`);
  expect(answer.next_cursor).toBeNull();
  return [
    entries(answer),
    { version: answer.meta.to_version, removals: answer.meta.checkpoint?.removals ?? -1 },
  ];
}

export const TEXAN = broker("a");
export const CALIFORNIAN = broker("b", { state: "CA" });
export const BROKER_C = broker("c", { phone: "2145550111" });
export const ALL: FeedRecord[] = [TEXAN, CALIFORNIAN, BROKER_C];

/** Gives the tests of a file a service, and each of them an account of its own. */
export function useCopies(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    // Later than what the test before did, as far as a copy without a number is told things again.
    service.clock.advance(2 * HOUR_MS);
    ({ key, planCode, accountId } = await service.createAccount(AMPLE));
    await setRegions(null);
  });
}
