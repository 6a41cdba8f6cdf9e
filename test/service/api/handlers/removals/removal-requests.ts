import { afterAll, beforeAll, beforeEach } from "vitest";
import { memoryLog } from "../../../../support/memory-log.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { type OptOutIn, optOut, removalList } from "../../../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const memory = memoryLog();
export const { lines, text: logText } = memory;
export let service: TestService;

// Each test has its own businesses, dockets and contacts.
export let usdot = 2_000_000;
export let phone: string;
export let email: string;

export type Row = Parameters<typeof putRegistryRow>[2];
export const put = (...rows: [table: string, row: Row][]) =>
  service.context.db.transaction(async (client) => {
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
  });
export const authority = (row: Row): [string, Row] => [
  "authority",
  {
    authority_class: "broker",
    op_auth_type: "BROKER",
    status: "active",
    status_source: "motus",
    first_seen_on: "2026-01-01",
    in_motus: true,
    revocation_pending: false,
    docket: `MC${row.usdot}`,
    ...row,
  },
];

export const ask = (body: OptOutIn, address?: string) => optOut(service.url, body, address);
export const list = () => removalList(service.context);

/** The hidden businesses of this test, as offsets from its first number. */
export const hidden = async (): Promise<number[]> =>
  (await list()).businesses.map((number) => number - usdot).filter((number) => number >= 0 && number < 1_000);

export const waiting = async (requestId: number): Promise<string[]> => {
  const { rows } = await service.context.db.pool.query<{ kind: string }>(
    "SELECT kind FROM removal_identifier WHERE request_id = $1 AND state = 'waiting' ORDER BY kind",
    [requestId],
  );
  return rows.map(({ kind }) => kind);
};

/** A service that takes requests for removal; each test has its own businesses and contacts. */
export function useRemovalRequests(): void {
  beforeAll(async () => {
    service = await startTestService({ log: memory.log, env: { TRUST_PROXY_HOPS: "1" } });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    usdot += 1_000;
    phone = `512555${String(usdot / 1_000).padStart(4, "0")}`;
    email = `dispatch${usdot}@example.com`;
  });
}
