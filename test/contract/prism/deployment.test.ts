// The contract's cases with any deployment: CONTRACT_BASE_URL is its address, CONTRACT_API_KEY a key for it. The cases
// write nothing there: of writing operations they try what is refused. Those that need accounts, plans or data made for them
// are reported as skipped. Without these variables the deployment is a service of this repository, after removals.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { optOut } from "../../support/removals/opt-outs.ts";
import { CONTRACT_CASES, nameOf } from "../contract-cases.ts";
import { DECLARED_OPERATIONS } from "./contract-document.ts";
import { type Deployment, openDeployment, sendWithinRate } from "./deployment.ts";
import { expectContract, expectRealData } from "./expect-contract.ts";
import { SEEDED, type SeededService, startSeededService } from "./seeded-service.ts";

const { CONTRACT_BASE_URL, CONTRACT_API_KEY } = process.env;
/** Enough for one wait until the key's minute is over. */
const TIMEOUT_MS = 120_000;
/** What a removal request or a webhook operation writes. */
const WRITTEN = ["webhook_endpoint", "removal_request", "webhook_delivery"];

describe("the contract's cases with a deployment", () => {
  let own: SeededService | undefined;
  let before: number[];
  let deployment: Deployment;
  beforeAll(async () => {
    if (CONTRACT_BASE_URL === undefined) {
      own = await startSeededService();
      for (const [first] of Object.values(SEEDED))
        await optOut(own.url, { usdot: String(first?.dot_number) });
      before = await rowCounts();
    }
    deployment = await openDeployment(
      CONTRACT_BASE_URL ?? own?.url ?? "",
      CONTRACT_API_KEY ?? own?.keys.customer ?? "",
    );
    const { requestsPerMinute } = deployment;
    const sent = CONTRACT_CASES.filter((one) => deployment.obstacleTo(one) === undefined);
    // Requests without the key do not count for its minutes.
    const counted = sent.filter(({ sender = "customer" }) => sender === "customer").length;
    const minutes = Math.floor(counted / requestsPerMinute);
    console.info(
      `${sent.length} requests, ${counted} of them with a key that has ${requestsPerMinute} a minute: ` +
        (minutes === 0 ? "no wait." : `about ${minutes} min of waiting.`),
    );
  });
  afterAll(() => own?.stop());

  const rowCounts = (): Promise<number[]> =>
    Promise.all(
      WRITTEN.map(async (table) => {
        const { rows } = (await own?.context.db.pool.query(`SELECT count(*)::int FROM ${table}`)) ?? {
          rows: [],
        };
        return rows[0]?.count;
      }),
    );

  it.for(CONTRACT_CASES.map((one) => ({ name: nameOf(one), one })))(
    "$name",
    { timeout: TIMEOUT_MS },
    async ({ one }, { skip }) => {
      skip(deployment.obstacleTo(one) !== undefined, deployment.obstacleTo(one));
      const answer = await sendWithinRate(deployment, one);
      expectContract(one, answer);
      expectRealData(one, answer);
    },
  );

  it("call every operation", () => {
    const tried = new Set(
      CONTRACT_CASES.filter(({ targets }) => targets.includes("deployment")).map(
        ({ operation }) => operation,
      ),
    );
    expect(DECLARED_OPERATIONS.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });

  it("write nothing", async ({ skip }) => {
    skip(own === undefined, "the database of a deployment is not ours to look at");
    expect(await rowCounts()).toEqual(before);
  });
});
