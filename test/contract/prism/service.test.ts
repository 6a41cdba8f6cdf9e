// The contract's cases with the service itself, through Prism as a proxy that validates every answer.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTRACT_CASES, nameOf } from "../cases/contract-cases.ts";
import { DECLARED_OPERATIONS } from "./contract-document.ts";
import { expectContract, expectRealData } from "./expect-contract.ts";
import { type PrismServer, startProxy, violationsOf } from "./prism-server.ts";
import { type SeededService, startSeededService } from "./seeded-service.ts";
import { sendCase } from "./send-case.ts";

let service: SeededService;
let proxy: PrismServer;
beforeAll(async () => {
  service = await startSeededService();
  proxy = await startProxy(service.url);
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
});

const cases = CONTRACT_CASES.filter(({ targets }) => targets.includes("service"));

describe("the contract's cases with the service", () => {
  it.each(cases.map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const answer = await sendCase(one.isPastPrism ? service.url : proxy.url, one, service.facts);
    expectContract(one, answer);
    expect(violationsOf(answer.headers)).toEqual([]);
    expectRealData(one, answer);
  });

  it("there is a case for every operation of the service, and for every error of it that can be caused", () => {
    const tried = new Set(cases.map(({ operation, status }) => `${operation} ${status}`));
    const declared = DECLARED_OPERATIONS.filter(({ isPlanned }) => !isPlanned).flatMap(({ id, answers }) =>
      answers.map(({ status }) => `${id} ${status}`),
    );
    // A 500 is a bug, the 503 of these needs a database that is down, and stale events are stale for everybody.
    const beyondReach = (name: string) =>
      name.endsWith(" 500") ||
      /^(listFeeds|listSources|listFeedVersions|readUsage|listEvents|listEventCorrections|readEvent|requestRemoval|listCarrierChanges|createTestEvent|\w*(Webhook|Watch|Key)\w*) 503$/.test(
        name,
      );
    expect(declared.filter((name) => !tried.has(name) && !beyondReach(name))).toEqual([]);
  });
});
