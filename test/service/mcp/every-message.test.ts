// Every message with a valid key counts as a request of the account and is refused above the rate, whatever it looks like.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import { LIST_TOOLS, postMessage, toolCall } from "../../support/mcp.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const call = toolCall("list_feeds");
const { id: _, ...callWithoutId } = call;

const MESSAGES: [what: string, message: unknown, headers?: Record<string, string>][] = [
  ["a tool call", call],
  ["a tool call without an id", callWithoutId],
  ["a tool call with a number for its arguments", { ...call, params: { name: "list_feeds", arguments: 1 } }],
  ["a tool call of JSON-RPC 1.0", { ...call, jsonrpc: "1.0" }],
  ["a tool call whose id is an object", { ...call, id: {} }],
  ["a tool call of an unknown revision", call, { "MCP-Protocol-Version": "1999-01-01" }],
  ["a tool call of 2026-07-28 without _meta", call, { "MCP-Protocol-Version": "2026-07-28" }],
  ["a call of no tool", toolCall("no_such_tool")],
  ["the list of tools", LIST_TOOLS],
  ["a ping", { jsonrpc: "2.0", id: 1, method: "ping" }],
  ["several messages at once", [call, call]],
  ["no object", 7],
  ["no JSON", call, { "Content-Type": "text/plain" }],
];

const LIMIT = 3;

describe.each(MESSAGES)("%s", (_what, message, headers = {}) => {
  it("is refused above the rate, with the time to wait", async () => {
    const { key } = await service.createAccount({ requestsPerMinute: LIMIT });
    const send = () => postMessage(service, message, { key, headers });
    for (let sent = 0; sent < LIMIT; sent++) expect((await send()).status).not.toBe(429);
    const refused = await send();
    const text = await refused.text();
    expect(text).toContain("rate_limited");
    // A tool's answer is one that the model reads.
    const isToolAnswer = refused.status === 200 && text.includes('"isError":true');
    if (!isToolAnswer) expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("counts as one request of the account", async () => {
    const { key } = await service.createAccount({});
    await postMessage(service, message, { key, headers });
    const answer = await service.get("/v1/usage", key);
    const { usage } = (await answer.json()) as components["schemas"]["UsageOut"];
    expect(usage).toMatchObject({ api_requests: 2, quota_rows: 0 });
  });
});
