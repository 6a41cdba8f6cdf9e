import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { createList } from "../../../src/watchlists/watchlists.ts";
import { putEvents } from "../../../test/support/events/events.ts";
import { registerEndpoint } from "../../../test/support/webhooks/endpoints.ts";
import { AMPLE, numbersFrom, publishBrokers } from "../../sdk/test/brokers.ts";
import { startCuttingProxy } from "../../sdk/test/cutting-proxy.ts";
import { startRawServer } from "../../sdk/test/raw-server.ts";
import { printed, service, useWheel } from "./python.ts";

useWheel();

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
    response.setHeader("Content-Type", "text/html").end("<html>Sign in to this network</html>"),
  );
  // Nothing, or what has no members, was given as data.
  const others = await Promise.all(
    ["", "null", "[]", '"up"'].map((body) => startRawServer((_request, response) => response.end(body))),
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
    otherUrls: others.map(({ url }) => url),
    compressedUrl: compressed.url,
    garbledUrl: garbled.url,
    endlessUrl: endless.url,
  };
  try {
    expect(await printed("foreign_answers.py", given)).toEqual({
      page: ["unexpected_answer", 200],
      // The page was the file.
      pageForExport: ["unexpected_answer", 200],
      others: others.map(() => ["unexpected_answer", 200]),
      compressed: ["quota_exceeded", 429],
      garbled: ["connection_failed", null],
      blankInPath: ["not_entitled", 403],
      keyOfFile: 0,
      noKey: "api_key is no key. Give TruckingDataFeed a key of your account.",
      showsKey: false,
      left: ["BROKER", null],
      // It would be empty, and saving it again would leave an empty file.
      readAgain: "An export can be read once. Open it again.",
      noAddress:
        "base_url is no address: https://api.example.com /. Give TruckingDataFeed one like https://api.example.com.",
    });
  } finally {
    await Promise.all([page, ...others, compressed, garbled, endless].map((server) => server.close()));
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
    unknown: "not_found",
    deletedEndpoint: "connection_failed",
    deletedList: "connection_failed",
    followed: 2,
  });
  expect([secrets[0], keys.size]).toEqual([secrets[1], 1]);
  expect([...attempts.values()]).toEqual([2, 2, 2, 1, 1, 2]);
});
