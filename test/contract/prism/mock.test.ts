// `npm run mock`, as customers and QA use it: the contract's cases with Prism's mock, and every example of it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../packages/sdk/src/index.ts";
import { CONTRACT_CASES, type ContractCase, nameOf } from "../cases/contract-cases.ts";
import { DECLARED_OPERATIONS } from "./contract-document.ts";
import { expectContract } from "./expect-contract.ts";
import { MOCK_FACTS } from "./mock-facts.ts";
import { type PrismServer, startMock } from "./prism-server.ts";
import { sendCase } from "./send-case.ts";

let mock: PrismServer;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

/** The requested answer of the mock; problem examples have the name of their code. */
function preferenceOf({ isValidatedByMock, status, example, code }: ContractCase): Record<string, string> {
  if (isValidatedByMock) return {};
  const named = status >= 400 ? code : status === 304 ? undefined : example;
  return { Prefer: named === undefined ? `code=${status}` : `code=${status}, example=${named}` };
}

describe("the contract's cases with the mock", () => {
  const cases = CONTRACT_CASES.filter(({ targets }) => targets.includes("mock"));

  it.each(cases.map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const answer = await sendCase(mock.url, one, MOCK_FACTS, preferenceOf(one));
    expectContract(one, answer);
  });

  it("has a case for every operation of the contract", () => {
    const tried = new Set(cases.map(({ operation }) => operation));
    expect(DECLARED_OPERATIONS.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });
});

describe("every example of the contract, requested by name", () => {
  for (const { id, answers } of DECLARED_OPERATIONS) {
    const request = CONTRACT_CASES.find(
      ({ operation, status, targets }) => operation === id && status < 300 && targets.includes("mock"),
    );
    for (const { status, content } of answers) {
      const examples = [...content.values()].flatMap((each) => each.examples);
      it.each(examples.length > 0 ? examples : [undefined])(`${id} ${status} %s`, async (example) => {
        if (request === undefined) throw new Error(`There is no case in which ${id} succeeds`);
        const { code: _code, ...rest } = request;
        const feed = status === 200 && example !== undefined ? { feed: example } : {};
        const one: ContractCase = { ...rest, ...feed, status };
        const prefer = example === undefined ? `code=${status}` : `code=${status}, example=${example}`;
        const answer = await sendCase(mock.url, one, MOCK_FACTS, { Prefer: prefer });
        expectContract(one, answer);
        // Problem examples have the name of their code, by which a customer requests an error from the mock.
        if (status >= 400 && status !== 422) expect(JSON.parse(answer.text).code).toBe(example);
      });
    }
  }
});

describe("a program with the SDK and the mock", () => {
  const client = () => createClient({ apiKey: "tdf_live_mock_key", baseUrl: mock.url });

  // The example of the export had another digest and number of rows than its records.
  it("takes a copy of a feed, and brings it up to date", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "tdf-mock-"));
    try {
      const taken = await client().syncFeed(folder, "us_brokers");
      expect(taken).toMatchObject({ version: 412, rows: 2, isWhole: true });
      const later = await client().syncFeed(folder, "us_brokers");
      expect(later).toMatchObject({ rows: 2, isWhole: false });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
