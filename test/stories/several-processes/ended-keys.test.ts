// A key that expires, is replaced or is revoked in one process is refused by all from that moment on, to the millisecond.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { settableClock } from "../../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { type ServiceProcesses, startServiceProcesses } from "../../support/processes/service-processes.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const NOW = "2026-11-21T12:00:05.000Z";
const DAY_MS = 86_400_000;
/** Read several times before each end, so that the processes have its answer cached. */
const PAGE = "/v1/feeds/us_brokers/records?page_size=5";

let database: TestDatabase;
let service: TestService;
let processes: ServiceProcesses;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url, clock: settableClock(NOW) });
  const records = [1, 2, 3].map((index) => feedRecord("us_brokers", { dot_number: String(1000 + index) }));
  await publishFeed(service.context.db, "us_brokers", { records, asOf: "2026-11-21", now: new Date(NOW) });
  processes = await startServiceProcesses(3, database.url, NOW);
});
afterAll(async () => {
  await processes.stop();
  await service.stop();
  await database.drop();
});

const openAccount = () =>
  service.createAccount({ requestsPerMinute: 1_000, feeds: { us_brokers: null }, scopes: ALL_SCOPES });

/** The answers of all processes to a page, read twice: 200, or the code of the problem. */
async function answersTo(key: string): Promise<(number | string)[]> {
  const read = async (url: string) => {
    const answer = await fetch(url + PAGE, { headers: { "X-API-Key": key } });
    const { code } = (await answer.json()) as { code?: string };
    return code ?? answer.status;
  };
  return (await Promise.all(processes.urls.flatMap((url) => [read(url), read(url)]))).flat();
}

const inAll = (answer: number | string) => Array.from({ length: 6 }, () => answer);

/** A request about keys to one of the processes, by a key that may manage them. */
async function manage<Body>(
  at: number,
  method: string,
  path: string,
  key: string,
  body?: object,
): Promise<Body> {
  const answer = await fetch(`${processes.urls[at]}/v1/keys${path}`, {
    method,
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

const rotate = (at: number, manager: string, id: string, graceSeconds?: number) =>
  manage<{ key: string; previous_valid_until: string | null }>(at, "POST", `/${id}/rotate`, manager, {
    ...(graceSeconds !== undefined && { grace_seconds: graceSeconds }),
  });

const setClocks = (sinceNowMs: number) =>
  processes.setClocks(new Date(Date.parse(NOW) + sinceNowMs).toISOString());

describe("over three processes", () => {
  it("a key expires at its end everywhere, and not a millisecond before", async () => {
    await setClocks(0);
    const { key: manager } = await openAccount();
    const ends = new Date(Date.parse(NOW) + DAY_MS).toISOString();
    const { key } = await manage<{ key: string }>(0, "POST", "", manager, {
      name: "Nightly",
      expires_at: ends,
    });
    expect(await answersTo(key)).toEqual(inAll(200));
    await setClocks(DAY_MS - 1);
    expect(await answersTo(key)).toEqual(inAll(200));
    await setClocks(DAY_MS);
    expect(await answersTo(key)).toEqual(inAll("expired_api_key"));
  });

  it("without a grace the old secret ends with the answer that has the new one", async () => {
    await setClocks(0);
    const { accountId, key: manager } = await openAccount();
    const { id, key: old } = await service.createKey(accountId);
    expect(await answersTo(old)).toEqual(inAll(200));
    const rotated = await rotate(1, manager, id, 0);
    expect(rotated.previous_valid_until).toBeNull();
    expect(await answersTo(old)).toEqual(inAll("expired_api_key"));
    expect(await answersTo(rotated.key)).toEqual(inAll(200));
  });

  it("with the usual grace both secrets work for 24 hours to the millisecond", async () => {
    await setClocks(0);
    const { accountId, key: manager } = await openAccount();
    const { id, key: old } = await service.createKey(accountId);
    expect(await answersTo(old)).toEqual(inAll(200));
    const { key, previous_valid_until } = await rotate(2, manager, id);
    expect(previous_valid_until).toBe(new Date(Date.parse(NOW) + DAY_MS).toISOString());
    for (const secret of [old, key]) expect(await answersTo(secret)).toEqual(inAll(200));
    await setClocks(DAY_MS - 1);
    for (const secret of [old, key]) expect(await answersTo(secret)).toEqual(inAll(200));
    await setClocks(DAY_MS);
    expect(await answersTo(old)).toEqual(inAll("expired_api_key"));
    expect(await answersTo(key)).toEqual(inAll(200));
  });

  it("a grace ends at once with a rotation without one, and never outlives the key", async () => {
    await setClocks(0);
    const { accountId, key: manager } = await openAccount();
    const expiresAt = new Date(Date.parse(NOW) + 1_000);
    const { id, key: first } = await service.createKey(accountId, { expiresAt });
    const { key: second } = await rotate(0, manager, id);
    expect(await answersTo(first)).toEqual(inAll(200));
    const { key: third } = await rotate(1, manager, id, 0);
    // Only the newest secret and the one before it are known.
    expect(await answersTo(first)).toEqual(inAll("invalid_api_key"));
    expect(await answersTo(second)).toEqual(inAll("expired_api_key"));
    expect(await answersTo(third)).toEqual(inAll(200));
    await rotate(2, manager, id);
    await setClocks(999);
    expect(await answersTo(third)).toEqual(inAll(200));
    await setClocks(1_000);
    expect(await answersTo(third)).toEqual(inAll("expired_api_key"));
  });

  it("a key that one process revoked is refused by the others with both its secrets", async () => {
    await setClocks(0);
    const { accountId, key: manager } = await openAccount();
    const { id, key: old } = await service.createKey(accountId);
    const { key } = await rotate(0, manager, id);
    for (const secret of [old, key]) expect(await answersTo(secret)).toEqual(inAll(200));
    await manage(1, "DELETE", `/${id}`, manager);
    for (const secret of [old, key]) expect(await answersTo(secret)).toEqual(inAll("revoked_api_key"));
  });
});
