// The contract's cases with any deployment: CONTRACT_BASE_URL is its address, CONTRACT_API_KEY a key for it. The cases
// write nothing there; those that need accounts, plans or data made for them are reported as skipped.
import { beforeAll, describe, it } from "vitest";
import { CONTRACT_CASES, nameOf } from "../contract-cases.ts";
import { type Deployment, openDeployment, sendWithinRate } from "./deployment.ts";
import { expectContract, expectRealData } from "./expect-contract.ts";

const { CONTRACT_BASE_URL: baseUrl, CONTRACT_API_KEY: key } = process.env;
/** Enough for one wait until the key's minute is over. */
const TIMEOUT_MS = 120_000;

describe.skipIf(!baseUrl || !key)("the contract's cases with a deployment", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(baseUrl ?? "", key ?? "");
  });

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
});
