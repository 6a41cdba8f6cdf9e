import { afterAll, beforeAll, beforeEach } from "vitest";
import { ALL_SCOPES } from "../../../../../src/accounts/keys/grant.ts";
import type { KeyTerms } from "../../../../../src/accounts/keys/key-terms.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

type KeyOut = components["schemas"]["KeyOut"];
export type KeysOut = components["schemas"]["KeysOut"];
type Answer = KeyOut & { code?: string; detail?: unknown; status: number };

export const NOW = "2026-11-21T12:00:00.000Z";

export let service: TestService;
export let accountId: number;
/** A key that may do everything. */
export let master: string;

export async function send(
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers = {},
): Promise<Answer> {
  const answer = await service.send(method, path, { key, body, headers });
  const text = await answer.text();
  return { ...JSON.parse(text || "{}"), ...(answer.status < 400 && { status: answer.status }) };
}

export const create = (key: string, terms: object = {}): Promise<Answer> =>
  send("POST", "/v1/keys", key, { name: "Sync", ...terms });
export const rotate = (key: string, id: string, graceSeconds?: number): Promise<Answer> =>
  send("POST", `/v1/keys/${id}/rotate`, key, { grace_seconds: graceSeconds });
export const revoke = (key: string, id: string): Promise<Answer> => send("DELETE", `/v1/keys/${id}`, key);
export const manager = (terms: Partial<KeyTerms>) =>
  service.createKey(accountId, { scopes: ["keys:write"], ...terms });
export const usage = async (key: string): Promise<number> => (await service.get("/v1/usage", key)).status;

/** A service with an account and its first key for each test. */
export function useKeyRequests(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.clock.set(NOW);
    const feeds = { us_brokers: null };
    const made = await service.createAccount({ feeds, requestsPerMinute: 1000, scopes: ALL_SCOPES });
    ({ accountId, key: master } = made);
  });
}
