// The contract's cases with any deployment: CONTRACT_BASE_URL is its address, CONTRACT_API_KEY a key for it. With a test key
// every case is tried, those that write too: they write to test mode, and what they made is removed in the end. With a live key
// nothing is written, and the cases that need accounts, plans or data made for them are left out. Without these variables the
// deployment is a service of this repository, after removals, and a live key of it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { optOut } from "../../support/removals/opt-outs.ts";
import { SEEDED, type SeededService, startSeededService } from "./seeded-service.ts";
import { tryDeployment } from "./try-deployment.ts";

const { CONTRACT_BASE_URL, CONTRACT_API_KEY } = process.env;
/** What a removal request or a webhook operation writes. */
const WRITTEN = ["webhook_endpoint", "removal_request", "webhook_delivery"];

describe("the contract's cases with a deployment", () => {
  let own: SeededService | undefined;
  let before: number[];
  beforeAll(async () => {
    if (CONTRACT_BASE_URL !== undefined) return;
    own = await startSeededService();
    for (const [first] of Object.values(SEEDED)) await optOut(own.url, { usdot: String(first?.dot_number) });
    before = await rowCounts(own);
  });
  afterAll(() => own?.stop());

  const rowCounts = ({ context }: SeededService): Promise<number[]> =>
    Promise.all(
      WRITTEN.map(async (table) => {
        const { rows } = await context.db.pool.query(`SELECT count(*)::int FROM ${table}`);
        return rows[0]?.count;
      }),
    );

  tryDeployment(CONTRACT_API_KEY ?? "", async () => ({
    url: CONTRACT_BASE_URL ?? own?.url ?? "",
    key: CONTRACT_API_KEY ?? own?.keys.customer ?? "",
  }));

  it.runIf(CONTRACT_BASE_URL === undefined)("write nothing", async () => {
    expect(await rowCounts(own as SeededService)).toEqual(before);
  });
});
