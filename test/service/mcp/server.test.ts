// The MCP server as HTTP clients meet it: keys, browsers, bounds, revisions of the protocol, log and metrics.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handlers } from "../../../src/generated/handlers.ts";
import {
  connectMcp,
  LIST_TOOLS,
  postMessage,
  REVISIONS,
  type Revision,
  toolCall,
} from "../../support/mcp.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { changeRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const log = memoryLog();
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService({ log: log.log, env: { PUBLIC_URL: "https://feeds.example.com" } });
  ({ key } = await service.createAccount({ requestsPerMinute: 10_000 }));
});
afterAll(() => service.stop());

const problemOf = async (answer: Response) =>
  (await answer.json()) as { code: string; status: number; detail: string };

describe.each(REVISIONS)("revision %s", (revision: Revision) => {
  it("tells what the server is, and lists tools that fit a model's context", async () => {
    const { client } = await connectMcp(service, { "X-API-Key": key }, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: "trucking-data-feed" });
    expect(client.getInstructions()).toContain("Begin with list_feeds.");
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_feeds",
      "read_records",
      "feed_changes",
      "count_records",
      "search_carriers",
      "look_up_carrier",
      "carrier_timeline",
      "look_up_carriers",
      "read_usage",
      "read_events",
      "list_webhooks",
    ]);
    for (const { annotations, description = "", inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(description).toMatch(/Costs (no rows|one row)/);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    }
    expect(JSON.stringify(tools)).not.toContain("/v1/");
    // Four bytes are about a token of English and JSON; 6,600 are allowed.
    const bytes = JSON.stringify(tools).length + (client.getInstructions()?.length ?? 0);
    expect(bytes / 4).toBeLessThan(6_600);
  });

  it("answers JSON and no stream, to every message of the official client", async () => {
    const types = new Set<string>();
    const watched: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.ok && answer.status !== 202) types.add(answer.headers.get("content-type") ?? "");
      return answer;
    };
    const { client, call } = await connectMcp(service, { "X-API-Key": key }, revision, watched);
    await client.listTools();
    await call("list_feeds");
    expect([...types]).toEqual(["application/json"]);
  });

  it("refuses an unknown tool and names those that there are", async () => {
    const { call } = await connectMcp(service, { "X-API-Key": key }, revision);
    await expect(call("delete_carrier")).rejects.toThrow(/There is no such tool. The tools are list_feeds/);
  });
});

// It named two, and a client of another could not tell that the server speaks its revision.
it("speaks every revision that its guide names, and no other of those before", async () => {
  const listAs = (revision: string) =>
    postMessage(service, LIST_TOOLS, { key, headers: { "MCP-Protocol-Version": revision } });
  const refused = (await (await listAs("1999-01-01")).json()) as { error: { message: string } };
  const spoken = refused.error.message.match(/2\d{3}-\d\d-\d\d/g) ?? [];
  expect(spoken).toContain("2025-11-25");
  const guide = await (await service.get("/docs/agents.md")).text();
  const [, named = ""] = /The protocol versions are ([^;]*);/.exec(guide) ?? [];
  expect(named.match(/[\d-]{10}/g)).toEqual(["2026-07-28", ...spoken]);
  for (const revision of spoken) expect([revision, (await listAs(revision)).status]).toEqual([revision, 200]);
});

describe("a key", () => {
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
    LIST_TOOLS,
    toolCall("list_feeds"),
  ];

  it.each(messages)("is needed for $method", async (message) => {
    for (const headers of [{}, { "X-API-Key": "tdf_live_nonsense" }, { Authorization: "Bearer nonsense" }]) {
      const answer = await postMessage(service, message, { headers });
      const problem = await problemOf(answer);
      expect([answer.status, problem.code]).toEqual([401, "invalid_api_key"]);
      expect(problem.detail).toContain("in the header X-API-Key, or as Authorization: Bearer <key>");
      expect(answer.headers.get("www-authenticate")).toMatch(/^ApiKey /);
    }
  });

  it("that was revoked is told so, also to the official client", async () => {
    const { accountId } = await service.createAccount();
    const { key: revoked, id } = await service.createKey(accountId);
    await changeRows(service.context.db.pool, "api_key", { revoked_at: new Date() }, { id });
    const answer = await postMessage(service, LIST_TOOLS, { key: revoked });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([401, "revoked_api_key"]);
    await expect(connectMcp(service, { "X-API-Key": revoked })).rejects.toThrow(/This API key was revoked/);
  });

  it.each(["Bearer", "bearer"])("may come as %s token", async (scheme) => {
    const answer = await postMessage(service, LIST_TOOLS, { headers: { Authorization: `${scheme} ${key}` } });
    expect(answer.status).toBe(200);
  });
});

describe("what the server refuses", () => {
  it.each(["https://evil.example", "http://feeds.example.com", "https://feeds.example.com:8443", "null"])(
    "pages of %s",
    async (Origin) => {
      const answer = await postMessage(service, LIST_TOOLS, { key, headers: { Origin } });
      expect([answer.status, (await problemOf(answer)).code]).toEqual([403, "foreign_origin"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(null);
    },
  );

  it("not pages of its own", async () => {
    const headers = { Origin: "https://feeds.example.com" };
    expect((await postMessage(service, LIST_TOOLS, { key, headers })).status).toBe(200);
  });

  it.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s", async (method) => {
    const answer = await service.send(method, "/mcp", { key });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("a body of more than 32 KB", async () => {
    const answer = await postMessage(service, toolCall("list_feeds", { a: "x".repeat(33_000) }), { key });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([413, "payload_too_large"]);
  });

  it("a body that is declared as something else than JSON", async () => {
    const answer = await postMessage(service, LIST_TOOLS, { key, headers: { "Content-Type": "text/plain" } });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([415, "unsupported_media_type"]);
  });

  it("several messages at once", async () => {
    const answer = await postMessage(service, [LIST_TOOLS, LIST_TOOLS], { key });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([400, "bad_request"]);
  });

  it.each([
    ["no message", {}],
    ["a number", 7],
    ["a message without a method", { jsonrpc: "2.0", id: 1 }],
    ["a call of no tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }],
    ["arguments that are no object", toolCall("list_feeds", ["us_brokers"])],
  ])("%s", async (_what, message) => {
    const answer = await postMessage(service, message, { key });
    const body = (await answer.json()) as { error: { code: number; message: string } };
    expect(answer.status).toBeLessThan(500);
    expect(body.error.code).toBeLessThan(0);
  });

  it("an empty body", async () => {
    const headers = { "Content-Type": "application/json" };
    const answer = await service.send("POST", "/mcp", { key, headers });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  it("a method that it does not have", async () => {
    const answer = await postMessage(service, { ...LIST_TOOLS, method: "resources/list" }, { key });
    expect(await answer.json()).toMatchObject({ error: { code: -32601 } });
  });

  it("a stream that would stay open: it has no news to send", async () => {
    const { client } = await connectMcp(service, { "X-API-Key": key }, "2026-07-28");
    const subscription = await client.listen({ toolsListChanged: true });
    expect(subscription.honoredFilter).toEqual({});
    expect(await subscription.closed).toBe("graceful");
  });
});

describe("the log and the metrics", () => {
  it("tell the tool and why it failed, and neither the key nor what was asked", async () => {
    await postMessage(service, toolCall("read_records", { code: "us_brokers", state: ["WY"] }), { key });
    await postMessage(service, LIST_TOOLS, { headers: { Authorization: `Bearer ${key}` } });
    const lines = log.lines().filter(({ operation }) => String(operation).startsWith("mcp"));
    expect(lines).toContainEqual(
      expect.objectContaining({
        operation: "mcp.read_records",
        status: 200,
        toolProblem: "not_entitled",
        keyId: expect.stringMatching(/^\w{8}$/),
        requestId: expect.any(String),
      }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ operation: "mcp", status: 200 }));
    expect(log.text()).not.toContain(key);
    // The letters of a key's id come by chance.
    expect(log.text().replaceAll(/"keyId":"\w{8}"/g, "")).not.toContain("WY");
    const metrics = await (await service.get("/metrics")).text();
    expect(metrics).toMatch(/tdf_request_seconds_count\{operation="mcp\.read_records",status="200"\} \d/);
    expect(metrics).not.toContain("mcp.delete_carrier");
  });

  it("keep the request's id", async () => {
    const answer = await postMessage(service, LIST_TOOLS, { key, headers: { "X-Request-Id": "agent-7" } });
    expect(answer.headers.get("x-request-id")).toBe("agent-7");
  });
});

it("a tool that fails for an unknown reason says so and reveals nothing", async () => {
  const failing = await startTestService({
    databaseUrl: service.context.config.databaseUrl ?? "",
    log: log.log,
    handlers: {
      ...handlers,
      listFeeds: () => {
        throw new Error("The cable is cut.");
      },
    },
  });
  const answer = await postMessage(failing, toolCall("list_feeds"), { key });
  const { result } = (await answer.json()) as { result: { structuredContent: object } };
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: { status: 500, code: "internal_error" }, cost: { rows: 0, requests: 1 } },
  });
  expect(JSON.stringify(result)).not.toContain("cable");
  expect(JSON.stringify(result)).toContain(answer.headers.get("x-request-id"));
  expect(log.text()).toContain("The cable is cut.");
  await failing.stop();
});

it("sends a long answer compressed to a client that takes it", async () => {
  const answer = await postMessage(service, LIST_TOOLS, { key, headers: { "Accept-Encoding": "gzip" } });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(await answer.json()).toMatchObject({ result: { tools: expect.any(Array) } });
});
