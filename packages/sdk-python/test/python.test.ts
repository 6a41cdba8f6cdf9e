// The Python package as customers get it: the wheel that the service hands out, with the machine's own Python.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythonWheel, wheelName } from "../../../scripts/generate/packages/wheel.ts";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { NO_TERMS } from "../../../src/accounts/keys/key-terms.ts";
import { createKey } from "../../../src/accounts/keys/keys.ts";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import { operationTable } from "../../../src/generated/operations.ts";
import { createTestKey } from "../../../src/testmode/test-keys.ts";
import { createList } from "../../../src/watchlists/watchlists.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { putEvents, setDetection } from "../../../test/support/events/events.ts";
import { feedRecord, publishFeed } from "../../../test/support/feeds/published-feed.ts";
import { putRows } from "../../../test/support/rows.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { deliveriesOf } from "../../../test/support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../test/support/webhooks/endpoints.ts";
import { AMPLE, numbersFrom, publishBrokers } from "../../sdk/test/brokers.ts";
import { startCuttingProxy } from "../../sdk/test/cutting-proxy.ts";
import { startRawServer } from "../../sdk/test/raw-server.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const run = promisify(execFile);

let folder: string;
let wheel: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-python-"));
  const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  wheel = path.join(folder, wheelName(version));
  await writeFile(wheel, await pythonWheel(ROOT));
  service = await startTestService({ hasTestMode: true });
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a program of this folder prints. Python reads modules from a wheel as from a folder. */
async function printed(program: string, given: object): Promise<Record<string, unknown>> {
  const env = { ...process.env, PYTHONPATH: wheel };
  const words = ["-W", "error", path.join(import.meta.dirname, program), JSON.stringify(given)];
  const { stdout } = await run("python3", words, { env, timeout: 50_000 });
  return JSON.parse(stdout);
}

/** Whether this machine's Python has the module. */
async function hasModule(name: string): Promise<boolean> {
  return run("python3", ["-m", name, "--version"]).then(
    () => true,
    () => false,
  );
}

describe("the wheel", () => {
  it("is the same bytes each time, and is installed by pip without a network", async ({ skip }) => {
    expect(await pythonWheel(ROOT)).toEqual(await readFile(wheel));
    skip(!(await hasModule("pip")), "this machine's Python has no pip");
    const target = path.join(folder, "installed");
    await run("python3", ["-m", "pip", "install", "--no-index", "--quiet", "--target", target, wheel]);
    const env = { ...process.env, PYTHONPATH: target };
    const { stdout } = await run("python3", ["-c", "import trucking_data_feed as t; print(t.__version__)"], {
      env,
    });
    expect(wheel).toContain(stdout.trim());
  });

  it("has types without a fault, for Python 3.9 too", { timeout: 120_000 }, async ({ skip }) => {
    const mypy = await run("mypy", ["--version"]).catch(() => null);
    skip(mypy === null, "this machine has no mypy");
    const unpacked = path.join(folder, "unpacked");
    await run("python3", ["-m", "zipfile", "-e", wheel, unpacked]);
    const words = [
      "--strict",
      "--python-version",
      "3.9",
      "--cache-dir",
      path.join(folder, "mypy"),
      "trucking_data_feed",
    ];
    await run("mypy", words, { cwd: unpacked });
  });
});

it("has a call for every operation, which the service answers", { timeout: 60_000 }, async () => {
  const { key, accountId } = await service.createAccount({ ...AMPLE, scopes: ALL_SCOPES });
  const ownKey = (await service.createKey(accountId)).id;
  const version = await publishBrokers(service, [4_400_000, 4_400_001]);
  await putRows(service.context.db.pool, "census", { usdot: 4_400_000, is_individual: false });
  await updateSharedValues(service.context);
  const [endpoint, other] = [
    await registerEndpoint(service.context, accountId),
    await registerEndpoint(service.context, accountId),
  ];
  const [event] = await putEvents(service.context.db, [
    { usdot: 4_400_000, detectedAt: "2026-11-21T12:00:00Z" },
  ]);
  await fanOut(service.context);
  const [delivery] = await deliveriesOf(service.context, endpoint.id);
  const watchlist = await createList(service.context, accountId, { name: "Clients" });
  const given = {
    baseUrl: service.url,
    key,
    version,
    event,
    endpoint: endpoint.id,
    other: other.id,
    delivery: delivery?.id,
    watchlist: watchlist.id,
    ownKey,
    testKey: (await createTestKey(service.context, accountId, "test")).key,
  };
  const made = await printed("calls.py", given);
  const forms = Object.entries(operationTable).map(([id, { method, path: form }]) => {
    const address = form.replaceAll(/\{\w+\}/g, "[^/]+");
    return [id, [expect.stringMatching(new RegExp(`^${method.toUpperCase()} ${address}$`))]];
  });
  expect(made).toEqual(Object.fromEntries(forms));
});

it("waits out what passes, goes on after a break, and says in errors what was wrong", async () => {
  const { key, accountId } = await service.createAccount({ ...AMPLE, rowsPerMonth: 1000 });
  await publishBrokers(service, numbersFrom(4_400_000, 20));
  const { id } = await registerEndpoint(service.context, accountId);
  const cutting = await startCuttingProxy(service.url, [500, 300]);
  const redirecting = await startRawServer((_request, response) =>
    response.writeHead(302, { Location: `${service.url}/v1/usage` }).end(),
  );
  let polls = 0;
  const gap = await startRawServer((_request, response) => {
    polls += 1;
    const meta = { resume_cursor: `after ${polls}`, has_gap: polls === 2 };
    response.end(JSON.stringify({ data: polls > 2 ? [{}] : [], next_cursor: null, meta }));
  });
  let asked = 0;
  const keys = new Set<unknown>();
  const flaky = await startRawServer(async (request, response) => {
    keys.add(request.headers["idempotency-key"]);
    asked += 1;
    if (asked === 1) return response.writeHead(503, { "Retry-After": "0" }).end();
    if (asked === 2) return request.socket.destroy();
    if (asked === 3) return response.writeHead(522, { "Retry-After": "0" }).end();
    const { host, ...headers } = request.headers;
    const answer = await fetch(service.url + request.url, {
      method: "POST",
      headers: headers as Record<string, string>,
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  const given = {
    baseUrl: service.url,
    key,
    endpoint: id,
    cuttingUrl: cutting.url,
    redirectUrl: redirecting.url,
    flakyUrl: flaky.url,
    gapUrl: gap.url,
  };
  try {
    expect(await printed("answers.py", given)).toEqual({
      cost: [0, 1000, AMPLE.requestsPerMinute, true],
      wrongKey: ["invalid_api_key", 401, true, 0],
      wrongFilter: ["invalid_filter", 400, true, 0],
      noPage: "page_size is at least 1. For the summary alone call connection_summary.",
      // Each digit was looked up, and paid for.
      textForNumbers: "usdots is a text. Give carriers a list of numbers.",
      frozenset: null,
      noAddress:
        "base_url is no address: localhost:3000. Give TruckingDataFeed one like https://api.example.com.",
      // Every carrier was not_found.
      versionInAddress: "Leave /v1 out of base_url: http://127.0.0.1:9/v1/.",
      wrongBody: ["invalid_request", 422, true, 1],
      redirect: ["unexpected_answer", 302, false, 0],
      away: ["connection_failed", null, false, 0],
      flaky: "queued",
      waits: [
        ["unexpected_answer", 0],
        ["connection_failed", expect.any(Number)],
        ["unexpected_answer", 0],
      ],
      // The page without an event that tells of the gap, not the one before.
      gap: "after 2",
      isWholeAfterBreaks: true,
      verified: "evt_1",
      old: "too_old",
      new: "too_new",
      forged: "wrong_signature",
      missing: "missing_header",
      malformed: "malformed_header",
      either: "evt_1",
    });
    // All attempts of one creating call have one key.
    expect([asked, keys.size, [...keys][0]]).toEqual([4, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(cutting.ranges).toEqual([null, "bytes=500-", "bytes=800-"]);
  } finally {
    await Promise.all([cutting.close(), redirecting.close(), flaky.close(), gap.close()]);
  }
});

it("tells the answers of others from the service's, shows no key, and ends a download whose loop is left", async () => {
  const { key } = await service.createAccount(AMPLE);
  const page = await startRawServer((_request, response) =>
    response.end("<html>Sign in to this network</html>"),
  );
  const problem = gzipSync(JSON.stringify({ code: "quota_exceeded", detail: "No rows are left." }));
  const compressed = await startRawServer((_request, response) =>
    response.writeHead(429, { "Content-Encoding": "gzip" }).end(problem),
  );
  const garbled = await startRawServer((_request, response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(problem.fill(1, 12)),
  );
  const left = Promise.withResolvers<void>();
  const endless = await startRawServer(async (request, response) => {
    if (request.url?.includes("export") === false) return left.promise.then(() => response.end("{}"));
    response.on("close", left.resolve);
    Readable.from(repeated(`${JSON.stringify({ company: "BROKER" })}\n`)).pipe(response);
  });
  const given = {
    baseUrl: service.url,
    key,
    pageUrl: page.url,
    compressedUrl: compressed.url,
    garbledUrl: garbled.url,
    endlessUrl: endless.url,
  };
  try {
    expect(await printed("foreign_answers.py", given)).toEqual({
      page: ["unexpected_answer", 200],
      compressed: ["quota_exceeded", 429],
      garbled: ["connection_failed", null],
      keyOfFile: 0,
      noKey: "api_key is no key. Give TruckingDataFeed a key of your account.",
      showsKey: false,
      left: ["BROKER", null],
    });
  } finally {
    await Promise.all([page, compressed, garbled, endless].map((server) => server.close()));
  }
});

function* repeated(line: string): Generator<string> {
  for (;;) yield line;
}

it("repeats a call whose answer broke off, but not one that would fail then because it was done", async () => {
  const { key, accountId } = await service.createAccount({ ...AMPLE, scopes: ALL_SCOPES });
  const { id } = await registerEndpoint(service.context, accountId);
  const list = await createList(service.context, accountId, { name: "Clients" });
  const times = { detectedAt: "2026-11-20T12:00:00Z" };
  await putEvents(service.context.db, [times, times, times]);
  const attempts = new Map<string, number>();
  const keys = new Set<unknown>();
  const secrets: unknown[] = [];
  const losing = await startRawServer(async (request, response) => {
    const { host, connection, ...headers } = request.headers;
    const asked = await buffer(request);
    const answer = await fetch(service.url + request.url, {
      method: request.method ?? "GET",
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
      ...(asked.length > 0 && { body: asked }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const call = `${request.method} ${request.url?.replace(/\?.*/, "")}`;
    const attempt = (attempts.get(call) ?? 0) + 1;
    attempts.set(call, attempt);
    if (request.headers["idempotency-key"]) {
      keys.add(request.headers["idempotency-key"]);
      secrets.push(JSON.parse(body.toString()).secret);
    }
    if (attempt > 1) return response.writeHead(answer.status).end(body);
    if (body.length === 0) return response.destroy();
    response.writeHead(answer.status, { "Content-Length": body.length });
    response.write(body.subarray(0, 5), () => setImmediate(() => response.destroy()));
  });
  const given = { baseUrl: losing.url, key, endpoint: id, watchlist: list.id };
  const found = await printed("lost_answers.py", given).finally(losing.close);
  expect(found).toEqual({
    secret: secrets[0],
    rows: 0,
    deletedEndpoint: "connection_failed",
    deletedList: "connection_failed",
    followed: 2,
  });
  expect([secrets[0], keys.size]).toEqual([secrets[1], 1]);
  expect([...attempts.values()]).toEqual([2, 2, 1, 1, 2]);
});

describe("sync_feed", () => {
  const FEED = "us_brokers";
  const publish = (days: number, records: Record<string, string | null>[]) => {
    const asOf = `2026-11-${18 + days}`;
    const whole = records.map((record) =>
      feedRecord(FEED, { state: "TX", status_source: "motus", last_verified: asOf, ...record }),
    );
    return publishFeed(service.context.db, FEED, { records: whole, asOf, now: service.clock.now() });
  };

  it("keeps a copy that equals the feed in every column, makes its folder first, and pays for changes alone", async () => {
    const { key } = await service.createAccount(AMPLE);
    const copies = path.join(folder, "not/there/yet");
    const given = { baseUrl: service.url, key, folder: copies };
    const quotaRows = async () => {
      const usage = (await (await service.get("/v1/usage", key)).json()) as { usage: { quota_rows: number } };
      return usage.usage.quota_rows;
    };
    const served = async () => {
      const page = await service.get(
        `/v1/feeds/${FEED}/records?state=TX`,
        (await service.createAccount(AMPLE)).key,
      );
      return ((await page.json()) as { data: { record_id: string }[] }).data;
    };
    const sorted = (records: unknown) =>
      (records as { record_id: string }[]).toSorted((a, b) => (a.record_id < b.record_id ? -1 : 1));

    const [one, two, three] = ["4500001", "4500002", "4500003"].map((dot_number) => ({
      dot_number,
      record_id: `python${dot_number}abc`,
    }));
    await publish(0, [{ ...one }, { ...two }]);
    const first = await printed("sync_brokers.py", given);
    expect(sorted(first.records)).toEqual(sorted(await served()));
    expect(await quotaRows()).toBe(2);

    await publish(1, [{ ...two, company: "RENAMED LLC" }, { ...three }]);
    const second = await printed("sync_brokers.py", given);
    expect(sorted(second.records)).toEqual(sorted(await served()));
    expect(await quotaRows()).toBe(4);
    expect((await printed("sync_brokers.py", given)).version).toBe(second.version);
    expect(await quotaRows()).toBe(4);
  });

  // Pages of records cost their rows again each time that a reading begins anew.
  it("pays once for a first reading that broke off, and reads pages with a key that may take no export", async () => {
    const { key, accountId } = await service.createAccount(AMPLE);
    await publish(2, [{ dot_number: "4500001" }, { dot_number: "4500002" }]);
    const cutting = await startCuttingProxy(service.url, [500, 0, 0, 0]);
    const copies = path.join(folder, "broken");
    const broken = printed("sync_brokers.py", { baseUrl: cutting.url, key, folder: copies });
    await expect(broken).rejects.toThrow("connection_failed");
    await cutting.close();
    const given = { baseUrl: service.url, key, folder: copies };
    expect(await printed("sync_brokers.py", given)).toMatchObject({ rows: 2 });
    const usage = await (await service.get("/v1/usage", key)).json();
    expect(usage).toMatchObject({ usage: { quota_rows: 2 } });

    const scopes = { ...NO_TERMS, scopes: ["feeds:read" as const] };
    const { key: pagesOnly } = await createKey(service.context, accountId, "pages", scopes);
    const byPages = { baseUrl: service.url, key: pagesOnly, folder: path.join(folder, "pages") };
    expect(await printed("sync_brokers.py", byPages)).toMatchObject({ rows: 2 });
  });

  // No run after it could read the file.
  it("goes on after a crash that cut a page in the middle of a character", async () => {
    const { key } = await service.createAccount(AMPLE);
    const copies = path.join(folder, "cut");
    const given = { baseUrl: service.url, key, folder: copies };
    await publish(3, [{ dot_number: "4500001" }]);
    await printed("sync_brokers.py", given);
    const [facts = ""] = (await readFile(path.join(copies, `${FEED}.ndjson`), "utf8")).split("\n");
    const { version, removals, filters } = JSON.parse(facts);
    const head = JSON.stringify({ since: version, removals, filters });
    const page = Buffer.from('{"data":[{"record":{"company":"É');
    await writeFile(path.join(copies, `${FEED}.changes`), [`${head}\n`, page.subarray(0, -1)]);
    await publish(4, [{ dot_number: "4500001", company: "RENAMED LLC" }]);
    expect(await printed("sync_brokers.py", given)).toMatchObject({ records: [{ company: "RENAMED LLC" }] });
  });

  // A tuple read the whole feed at each run; a set or a date failed after that was paid for.
  it("knows filters again in whatever form they are given, and refuses what is none before it reads", async () => {
    const { key } = await service.createAccount(AMPLE);
    await publish(2, [{ dot_number: "4500001", authority_granted: "2026-11-02" }]);
    const given = { baseUrl: service.url, key, folder: path.join(folder, "filters") };
    const twice = [["export.ndjson"], ["changes"]];
    const refused = (what: string) => [
      `sync_feed takes no ${what}. A copy has all columns of all records that match its filters in the newest version.`,
      0,
    ];
    expect(await printed("sync_filters.py", given)).toEqual({
      tuple: twice,
      order: twice,
      set: twice,
      date: twice,
      none: twice,
      ofEarlierRelease: [["changes"]],
      fields: refused("fields"),
      since: refused("since"),
    });
  });

  // The last of two values was the only filter, and the copy was whole.
  it("the example says in a line what is wrong with its words", async () => {
    const { key } = await service.createAccount(AMPLE);
    const sync = (words: string[], change: NodeJS.ProcessEnv = {}) => {
      const settings = {
        PYTHONPATH: wheel,
        TDF_KEY: key,
        TDF_URL: service.url,
        FOLDER: path.join(folder, "none"),
      };
      const example = path.join(ROOT, "examples/sync-python/sync.py");
      return run("python3", [example, FEED, ...words], { env: { ...process.env, ...settings, ...change } });
    };
    const ends = (ended: Promise<unknown>, stderr: unknown) =>
      expect(ended).rejects.toMatchObject({ code: 1, stderr });
    await ends(sync(["TX"]), "TX is no filter.\nUsage: python3 sync.py FEED [filter=value ...]\n");
    const twice = "state is given twice. Join its values with a comma: state=TX,OK\n";
    await ends(sync(["state=TX", "state=OK"]), twice);
    await ends(sync(["version=3"]), expect.stringMatching(/^sync_feed takes no version\. .*\n$/));
    const noKey = "Set TDF_KEY to your key; the demo's is in .data/demo.key.\n";
    await ends(sync([], { TDF_KEY: undefined }), noKey);
  });
});
