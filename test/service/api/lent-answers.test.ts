// Large answers are sent from bytes that are used again for others. Each must be its own, whoever stops reading.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lendBytes } from "../../../src/platform/lent-bytes.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { fillRowCache } from "../../support/feeds/row-cache.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const FEED = "us_brokers";
const ROWS = 3_000;
const FIRST = 1_000_000;
/** More than the cache of pages holds several times over: a page of 100 rows has 160 KB. */
const REQUESTS = 400;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  const plan = { feeds: { [FEED]: null }, requestsPerMinute: 10_000, rowsPerMonth: 10_000_000 };
  ({ key } = await service.createAccount(plan));
  await publishFeed(service.context.db, FEED, {
    records: Array.from({ length: ROWS }, (_, at) =>
      feedRecord(FEED, { dot_number: String(FIRST + at), street: `${FIRST + at}`.repeat(120) }),
    ),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  await fillRowCache(service.context, FEED);
});
afterAll(() => service.stop());

interface Page {
  size: number;
  page: number;
}

const pathOf = ({ size, page }: Page) => `/v1/feeds/${FEED}/records?page_size=${size}&page=${page}`;

/** The pages of about a size, so that they can use the bytes of each other. */
const pageAt = (index: number, smallest: number): Page => {
  const size = smallest + (index % 11);
  return { size, page: 1 + ((index * 7) % Math.floor(ROWS / size)) };
};

const firstOf = ({ size, page }: Page): number => FIRST + (page - 1) * size;

function expectOwn(json: string, asked: Page): void {
  const { data } = JSON.parse(json) as { data: { dot_number: string; street: string }[] };
  const expected = Array.from({ length: asked.size }, (_, at) => String(firstOf(asked) + at));
  expect(data.map(({ dot_number }) => dot_number)).toEqual(expected);
  expect(data.every(({ dot_number, street }) => street === dot_number.repeat(120))).toBe(true);
}

/** How a client reads its answer: as it is, compressed, or not to its end. One looks up the carriers of the page. */
const READERS = ["identity", "gzip", "looks up", "leaves", "identity"] as const;

async function readPage(index: number, smallest: number): Promise<void> {
  const reader = READERS[index % READERS.length];
  const asked = pageAt(index, smallest);
  if (reader === "looks up") return lookUpPage(asked);
  const leaving = new AbortController();
  const answer = await fetch(`${service.url}${pathOf(asked)}`, {
    headers: { "X-API-Key": key, "Accept-Encoding": reader === "gzip" ? "gzip" : "identity" },
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  if (reader === "leaves") return leaving.abort();
  expectOwn(await answer.text(), asked);
}

/** The carriers of a page by their numbers, each from its own place in the file. */
async function lookUpPage(asked: Page): Promise<void> {
  const usdots = Array.from({ length: asked.size }, (_, at) => String(firstOf(asked) + at));
  const answer = await fetch(`${service.url}/v1/carriers/lookup`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ usdots }),
  });
  const { data } = (await answer.json()) as { data: { carrier: { records: { record: object }[] } }[] };
  expectOwn(JSON.stringify({ data: data.map(({ carrier }) => carrier.records[0]?.record) }), asked);
}

async function readPages(count: number, smallest: number): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) {
      next += 1;
      await readPage(next, smallest);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

it("each of many clients gets its own page, and bytes are used again", async () => {
  await readPages(REQUESTS, 95);
  // What is lent now had a page in it.
  const sizes = Array.from({ length: 20 }, (_, at) => (at + 1) * 16 * 1024);
  const usedAgain = sizes.map((size) => String(lendBytes(size).subarray(0, 9)));
  expect(usedAgain).toContain('{"data":[');
});

it("answers that wait for a client that reads late are not used for others meanwhile", async () => {
  const pages = Array.from({ length: 14 }, (_, index) => pageAt(index, 985));
  const late = connect(Number(new URL(service.url).port), "127.0.0.1").pause();
  const requests = pages.map(
    (asked, index) =>
      `GET ${pathOf(asked)} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n` +
      `Connection: ${index === pages.length - 1 ? "close" : "keep-alive"}\r\n\r\n`,
  );
  late.write(requests.join(""));
  await readPages(60, 985);
  let rest = Buffer.concat(await late.toArray());
  for (const asked of pages) {
    const start = rest.indexOf("\r\n\r\n") + 4;
    const length = Number(/content-length: (\d+)/i.exec(String(rest.subarray(0, start)))?.[1]);
    expectOwn(String(rest.subarray(start, start + length)), asked);
    rest = rest.subarray(start + length);
  }
});
