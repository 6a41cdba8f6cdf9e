// What a removal and a revoked key do to a download that has begun. The file is larger than all buffers between the
// service and a client that pauses, so the service has not made its end yet.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import type { components } from "../../../../src/generated/types.ts";
import { feedRecord, lengthenNames, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const ROWS = 20_000;
const LAST = ROWS - 1;

let service: TestService;
let key: string;
let keyId: string;
/** Another key of the account. */
let otherKey: string;

beforeAll(async () => {
  service = await startTestService();
  const version = await publishFeed(service.context.db, BROKERS, {
    records: Array.from({ length: ROWS }, (_, index) =>
      feedRecord(BROKERS, { company: "COMPANY", dot_number: String(index + 1) }),
    ),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  // Some 31 MB, half of that as Parquet. Linux accepts up to 10 MB for both ends of a connection.
  await lengthenNames(service.context.db.bulkPool, version, "COMPANY", 13);
  return () => service.stop();
});

beforeEach(async () => {
  // A download reads the removal list again when some time has passed.
  vi.useFakeTimers({ toFake: ["performance"] });
  const account = await service.createAccount({ feeds: { [BROKERS]: null }, rowsPerMonth: ROWS });
  ({ key, keyId } = account);
  otherKey = (await service.createKey(account.accountId)).key;
});
afterEach(async () => {
  vi.useRealTimers();
  await undoRemovals(service.context.db);
});

interface Download {
  answer: IncomingMessage;
  /** What came before the client paused. */
  begun: Buffer;
}

/** A download whose client pauses once it has some rows. */
async function begin(format: string, sent: Record<string, string> = {}): Promise<Download> {
  const headers = { "X-API-Key": key, "Accept-Encoding": "identity", ...sent };
  const request = get(`${service.url}/v1/feeds/${BROKERS}/export.${format}`, { headers, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for (let size = 0; size < 100_000; ) {
    const chunk = answer.read() as Buffer | null;
    if (chunk === null) await once(answer, "readable");
    else {
      chunks.push(chunk);
      size += chunk.length;
    }
  }
  return { answer, begun: Buffer.concat(chunks) };
}

/** The client goes on after a second. */
async function rest({ answer, begun }: Download): Promise<{ bytes: Buffer; isBroken: boolean }> {
  vi.advanceTimersByTime(1000);
  const chunks = [begun];
  try {
    for await (const chunk of answer) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), isBroken: false };
  } catch {
    return { bytes: Buffer.concat(chunks), isBroken: true };
  }
}

const usdotsIn = {
  csv: (text: string) =>
    text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => Number(line.split(",")[2])),
  ndjson: (text: string) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => Number(JSON.parse(line).dot_number)),
};

async function exportRows(): Promise<number> {
  const answer = await service.get("/v1/usage", otherKey);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage.export_rows;
}

const everybodyBut = (...usdots: number[]): number[] =>
  Array.from({ length: ROWS }, (_, index) => index + 1).filter((usdot) => !usdots.includes(usdot));

describe("a business that is removed", () => {
  it.each(["csv", "ndjson"] as const)(
    "is missing from what the service has not sent yet of a whole %s, which ends normally",
    async (format) => {
      const download = await begin(format);
      expect(download.answer.headers["x-row-count"]).toBe(String(ROWS));
      // The first was sent.
      await removeBusinesses(service.context.db, [1, LAST]);
      const { bytes, isBroken } = await rest(download);
      expect(isBroken).toBe(false);
      expect(usdotsIn[format](bytes.toString())).toEqual(everybodyBut(LAST));
      expect(await exportRows()).toBe(ROWS - 1);
    },
  );

  it.each([
    ["csv", { Range: "bytes=0-" }],
    ["ndjson", { Range: "bytes=0-" }],
    ["parquet", {}],
    ["parquet", { Range: "bytes=1-" }],
  ])("breaks off a download that cannot leave it out: %s, %j", async (format, sent) => {
    const download = await begin(format, sent);
    await removeBusinesses(service.context.db, [LAST]);
    const { bytes, isBroken } = await rest(download);
    expect(isBroken).toBe(true);
    expect(bytes.length).toBeLessThan(Number(download.answer.headers["content-length"]));
    const again = await service.get(`/v1/feeds/${BROKERS}/export.${format}`, otherKey, {
      Range: `bytes=${bytes.length}-`,
      "If-Match": download.answer.headers.etag ?? "",
    });
    expect([again.status, await again.json()]).toMatchObject([412, { code: "export_changed" }]);
  });
});

describe("a revoked key", () => {
  it.each(["csv", "ndjson", "parquet"])(
    "does not end a download of %s, and begins no other",
    async (format) => {
      const download = await begin(format);
      await revokeKey(service.context, keyId);
      const { bytes, isBroken } = await rest(download);
      expect(isBroken).toBe(false);
      const whole = await service.get(`/v1/feeds/${BROKERS}/export.${format}`, otherKey);
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
      const refused = await service.get(`/v1/feeds/${BROKERS}/export.${format}`, key);
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: "revoked_api_key" }]);
      expect(await exportRows()).toBe(ROWS);
    },
  );
});
