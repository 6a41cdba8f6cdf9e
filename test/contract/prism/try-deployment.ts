import { afterAll, beforeAll, expect, it } from "vitest";
import { nameOf } from "../cases/contract-cases.ts";
import { DECLARED_OPERATIONS } from "./contract-document.ts";
import { casesFor, type Deployment, openDeployment, sendWithinRate } from "./deployment.ts";
import { expectContract, expectRealData } from "./expect-contract.ts";

/** Enough for one wait until the key's minute is over. */
const TIMEOUT_MS = 120_000;

/** An address and a key for it. */
interface Reached {
  url: string;
  key: string;
}

/** Tries the cases for a key of this kind at the address that `reach` returns before the first one. */
export function tryDeployment(keyLike: string, reach: () => Promise<Reached>): void {
  const cases = casesFor(keyLike);
  let deployment: Deployment | undefined;
  beforeAll(async () => {
    const { url, key } = await reach();
    deployment = await openDeployment(url, key);
    const { requestsPerMinute, obstacleTo } = deployment;
    const sent = cases.filter((one) => obstacleTo(one) === undefined);
    // Requests without the key do not count for its minutes.
    const counted = sent.filter(({ sender = "customer" }) => sender === "customer").length;
    const minutes = Math.floor(counted / requestsPerMinute);
    console.info(
      `${sent.length} requests, ${counted} of them with a key that has ${requestsPerMinute} a minute: ` +
        (minutes === 0 ? "no wait." : `about ${minutes} min of waiting.`),
    );
  });
  afterAll(() => deployment?.close());

  it.for(cases.map((one) => ({ name: nameOf(one), one })))(
    "$name",
    { timeout: TIMEOUT_MS },
    async ({ one }, { skip }) => {
      if (deployment === undefined) throw new Error("The deployment was not reached");
      const obstacle = deployment.obstacleTo(one);
      skip(obstacle !== undefined, obstacle);
      const answer = await sendWithinRate(deployment, one);
      expectContract(one, answer);
      expectRealData(one, answer);
    },
  );

  it("call every operation", () => {
    const tried = new Set(cases.map(({ operation }) => operation));
    expect(DECLARED_OPERATIONS.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });
}
