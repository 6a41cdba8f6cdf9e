// HEAD of every GET of the contract, with Prism's mock and with the service. Prism's proxy cannot forward an answer of JSON
// without a body.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTRACT_CASES, type ContractCase } from "../cases/contract-cases.ts";
import { DECLARED_HEADS, DECLARED_OPERATIONS } from "./contract-document.ts";
import { expectContract } from "./expect-contract.ts";
import { MOCK_FACTS } from "./mock-facts.ts";
import { type PrismServer, startMock } from "./prism-server.ts";
import { type SeededService, startSeededService } from "./seeded-service.ts";
import { sendCase } from "./send-case.ts";

let service: SeededService;
let mock: PrismServer;
beforeAll(async () => {
  service = await startSeededService();
  mock = await startMock();
});
afterAll(async () => {
  await mock?.close();
  await service?.stop();
});

const successOf = (id: string): ContractCase => {
  const found = CONTRACT_CASES.find(({ operation, status, targets }) => {
    return operation === id && status === 200 && targets.length > 1;
  });
  if (found === undefined) throw new Error(`There is no case in which ${id} succeeds`);
  return found;
};

const cases = [...DECLARED_HEADS].map(([get, { id: operation }]): [string, ContractCase] => {
  const { code: _code, ...request } = successOf(get);
  return [get, { ...request, operation, method: "HEAD" }];
});

describe("HEAD", () => {
  it("is declared for every GET", () => {
    const reading = DECLARED_OPERATIONS.filter(({ method }) => method === "get");
    expect([...DECLARED_HEADS.keys()]).toEqual(reading.map(({ id }) => id));
  });

  it.each(cases)("of %s is answered by the mock", async (_get, one) => {
    expectContract(one, await sendCase(mock.url, one, MOCK_FACTS));
  });

  it.each(cases)("of %s is answered by the service", async (_get, one) => {
    expectContract(one, await sendCase(service.url, one, service.facts));
  });

  it("of an unchanged page is 304, and without a key 401", async () => {
    const [, page] = cases.find(([get]) => get === "readRecords") as [string, ContractCase];
    expectContract(
      { ...page, isRepeatedWithEtag: true, status: 304 },
      await sendCase(service.url, { ...page, isRepeatedWithEtag: true }, service.facts),
    );
    const refused: ContractCase = { ...page, sender: "nobody", status: 401 };
    expectContract(refused, await sendCase(service.url, refused, service.facts));
    expectContract(refused, await sendCase(mock.url, refused, { ...MOCK_FACTS, keyOf: () => undefined }));
  });
});
