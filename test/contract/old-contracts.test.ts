// Clients made from an older contract go on working: their types fit what the service sends and takes today, and the
// service's answers keep the older contract.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilerComplaints } from "../support/compiler.ts";
import { CONTRACT_CASES, type ContractCase, nameOf } from "./cases/contract-cases.ts";
import {
  answersOf,
  type ContractDocument,
  currentContract,
  OLD_CONTRACTS,
  oldContract,
} from "./old-contracts/old-contract.ts";
import { type PrismServer, startProxy, violationsOf } from "./prism/prism-server.ts";
import { type SeededService, startSeededService } from "./prism/seeded-service.ts";
import { sendCase } from "./prism/send-case.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-old-contracts-"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The compiler's errors where a type of the old contract and one of today's do not fit, by the line of the check. */
async function misfits(old: ContractDocument, current: ContractDocument): Promise<string[]> {
  const write = async (name: string, contract: ContractDocument) => {
    const nodes = await openapiTypescript(contract as unknown as OpenAPI3, { defaultNonNullable: false });
    await writeFile(path.join(folder, name), astToString(nodes));
  };
  await Promise.all([write("old.ts", old), write("current.ts", current)]);
  const fits = (name: string, from: string, to: string) =>
    `export const ${name} = (it: ${from}): ${to} => it;`;
  const checks = [...answersOf(old)].flatMap(([id, answers]) => [
    fits(`asks_${id}`, `Asked<Old["${id}"]>`, `Asked<Current["${id}"]>`),
    ...answers.flatMap(([status, type]) => {
      if (type === null) return [];
      const place = `["${id}"]["responses"][${status}]["content"]["${type}"]`;
      return fits(`answers_${id}_${status}`, `Current${place}`, `Old${place}`);
    }),
  ]);
  const program = path.join(folder, "check.ts");
  await writeFile(program, [CHECK_TYPES, ...checks].join("\n"));
  return compilerComplaints([program]);
}

const CHECK_TYPES = `
import type { components as OldSchemas, operations as Old } from "./old.ts";
import type { components as CurrentSchemas, operations as Current } from "./current.ts";
type Asked<T extends { parameters: object; requestBody?: unknown }> =
  Omit<T["parameters"], "header" | "cookie"> & { body: T["requestBody"] };
export const delivers = (it: CurrentSchemas["schemas"]["DeliveryBody"]): OldSchemas["schemas"]["DeliveryBody"] => it;
`;

describe.each(OLD_CONTRACTS)("a client of the contract of commit %s", (name) => {
  it("has types that fit today's requests and answers", { timeout: 120_000 }, async () => {
    expect(await misfits(oldContract(name), currentContract())).toEqual([]);
  });
});

describe.each(OLD_CONTRACTS)("the service, judged by the contract of commit %s", (name) => {
  let service: SeededService;
  let proxy: PrismServer;
  beforeAll(async () => {
    service = await startSeededService();
    proxy = await startProxy(service.url, oldContract(name));
  });
  afterAll(async () => {
    await proxy?.close();
    await service?.stop();
  });

  const answers = answersOf(oldContract(name));
  const isDeclared = ({ operation, status }: ContractCase): boolean =>
    answers.get(operation ?? "")?.some(([declared]) => declared === String(status)) === true;
  const cases = CONTRACT_CASES.filter(
    (one) => one.targets.includes("service") && !one.isPastPrism && isDeclared(one),
  );

  it.each(cases.map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const answer = await sendCase(proxy.url, one, service.facts);
    expect(answer.status).toBe(one.status);
    expect(violationsOf(answer.headers)).toEqual([]);
  });
});
