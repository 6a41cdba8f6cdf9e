// Each scope × each operation, from the contract: a key with one scope alone may call the operations of this scope, and
// gets 403 insufficient_scope, which names the scope that is missing, from all others.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_SCOPES, USUAL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { type OperationId, operationTable } from "../../../../src/generated/operations.ts";
import type { Scope } from "../../../../src/generated/scopes.ts";
import { toolSources } from "../../../../src/generated/tools.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { postMessage, toolCall } from "../../../support/mcp.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const OPERATIONS = Object.entries(operationTable)
  .filter(([, { scope }]) => scope !== null)
  .map(([id, operation]) => ({ id: id as OperationId, ...operation }));
const CELLS = ALL_SCOPES.flatMap((scope) => OPERATIONS.map((operation) => ({ scope, operation })));

const VALUES: Record<string, string> = { code: "us_brokers", dot: "1", key_id: "zzzzzzzz" };
const pathOf = ({ path }: { path: string }): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? "1000000");

let service: TestService;
const keys = new Map<Scope, string>();
let usualKey: string;
beforeAll(async () => {
  service = await startTestService();
  const plan = { feeds: { us_brokers: null }, requestsPerMinute: 10_000 };
  const { accountId, key } = await service.createAccount(plan);
  usualKey = key;
  await publishFeed(service.context.db, "us_brokers", {
    records: [feedRecord("us_brokers", { dot_number: "1" })],
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  for (const scope of ALL_SCOPES)
    keys.set(scope, (await service.createKey(accountId, { scopes: [scope] })).key);
});
afterAll(() => service.stop());

async function refusalOf(
  { method, path, hasBody }: { method: string; path: string; hasBody: boolean },
  key: string | undefined,
): Promise<{ status: number; code?: string; detail?: string }> {
  const answer = await service.send(method, pathOf({ path }), { key, ...(hasBody && { body: {} }) });
  const text = await answer.text();
  const isProblem = answer.headers.get("content-type") === "application/problem+json";
  return { status: answer.status, ...(isProblem && JSON.parse(text)) };
}

it("knows an operation of every scope, and the scope of every operation that takes a key", () => {
  expect([...new Set(OPERATIONS.map(({ scope }) => scope))].sort()).toEqual([...ALL_SCOPES].sort());
  const open = Object.entries(operationTable).filter(([, { scope }]) => scope === null);
  expect(open.map(([id]) => id)).toEqual(["requestRemoval"]);
});

describe("a key with one scope", () => {
  it.each(CELLS.map((cell) => [cell.scope, cell.operation.id, cell] as const))(
    "%s at %s",
    async (scope, _id, { operation }) => {
      const { status, code, detail } = await refusalOf(operation, keys.get(scope));
      if (scope === operation.scope) {
        expect(code).not.toBe("insufficient_scope");
        expect([200, 400, 404, 422, 503]).toContain(status);
      } else {
        expect({ status, code }).toEqual({ status: 403, code: "insufficient_scope" });
        expect(detail).toContain(`the scope ${operation.scope},`);
      }
    },
  );

  it.each(ALL_SCOPES.flatMap((scope) => toolSources.map((tool) => [scope, tool.name, tool] as const)))(
    "%s at the tool %s",
    async (scope, name, { operation, inputSchema: { required = [] } }) => {
      const args = Object.fromEntries(required.map((each) => [each, VALUES[each] ?? "1"]));
      const key = keys.get(scope) ?? "";
      const answer = await postMessage(service, toolCall(name, args), { key });
      const { result } = JSON.parse(/\{.*\}/s.exec(await answer.text())?.[0] ?? "{}");
      const { error } = result.structuredContent as { error?: { code: string; detail: string } };
      const needed = operationTable[operation].scope;
      if (scope === needed) return expect(error?.code).not.toBe("insufficient_scope");
      expect(result.isError).toBe(true);
      expect(error?.code).toBe("insufficient_scope");
      expect(error?.detail).toContain(`the scope ${needed},`);
    },
  );
});

it("a key that was made without scopes may call everything but the operations on keys", async () => {
  expect(USUAL_SCOPES).toEqual(ALL_SCOPES.filter((scope) => scope !== "keys:write"));
  for (const operation of OPERATIONS) {
    const { code } = await refusalOf(operation, usualKey);
    expect([operation.id, code === "insufficient_scope"]).toEqual([
      operation.id,
      operation.scope === "keys:write",
    ]);
  }
});
