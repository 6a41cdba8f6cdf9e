// Each tool says what its answers look like, and they do: good ones and errors.
import type { Tool } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../support/feeds/every-feed.ts";
import { AS_OF } from "../../support/feeds/every-record.ts";
import { connectMcp, type McpConnection, REVISIONS } from "../../support/mcp.ts";
import type { TestService } from "../../support/service.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";

const CODE = { code: "us_brokers" };

let service: TestService;
let key: string;
let version: number;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  const finishedAt = "2026-11-21T12:00:00Z";
  await setDetection(service.context.db, { finishedAt, asOf: AS_OF });
  await putEvents(service.context.db, [{ usdot: 4_300_001, detectedAt: finishedAt }]);
  const account = await service.createAccount(AMPLE);
  key = account.key;
  await registerEndpoint(service.context, account.accountId);
  const count = await service.get(`/v1/feeds/${CODE.code}/count`, key);
  ({ version } = ((await count.json()) as { meta: { version: number } }).meta);
});
afterAll(() => service.stop());

/** The tools, with arguments that they answer. */
const CALLS: [tool: string, args: () => Record<string, unknown>][] = [
  ["list_feeds", () => ({})],
  ["read_records", () => CODE],
  ["read_records", () => ({ ...CODE, fields: ["phone"] })],
  ["feed_changes", () => ({ ...CODE, since_version: version })],
  ["count_records", () => ({ ...CODE, by: "state" })],
  ["count_records", () => CODE],
  ["look_up_carrier", () => ({ dot: "4300001" })],
  ["read_usage", () => ({})],
  ["read_events", () => ({})],
  ["list_webhooks", () => ({})],
];

describe.each(REVISIONS)("revision %s", (revision) => {
  let mcp: McpConnection;
  let tools: Tool[];
  beforeAll(async () => {
    mcp = await connectMcp(service, { "X-API-Key": key }, revision);
    ({ tools } = await mcp.client.listTools());
  });

  const validatorOf = (name: string) => {
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    expect(schema).toMatchObject({ type: "object" });
    return new Ajv2020({ strict: true, strictRequired: false }).compile(schema as object);
  };

  // The official client has the schemas by now and refuses an answer that does not fit.
  it.each(CALLS)("%s answers as its schema says", async (name, args) => {
    const { isError, data } = await mcp.call(name, args());
    expect({ isError, data }).toMatchObject({ isError: false });
    const isValid = validatorOf(name);
    expect([isValid(data), isValid.errors]).toEqual([true, null]);
    const members = Object.keys(data).filter((member) => member !== "next");
    for (const member of members) {
      const { [member]: _, ...less } = data;
      expect([member, isValid(less)]).toEqual([member, false]);
    }
  });

  it("errors fit too, for clients that judge them", async () => {
    for (const { name } of tools) {
      const { isError, data } = await mcp.call(name, { nonsense: 1 });
      expect([isError, validatorOf(name)(data)]).toEqual([true, true]);
    }
  });

  it("tells the members of an answer, and not the columns of each feed", () => {
    expect(tools.find(({ name }) => name === "read_records")?.outputSchema).toEqual({
      type: "object",
      properties: {
        data: { type: "array", items: { type: "object" } },
        page: { type: "integer" },
        page_size: { type: "integer" },
        has_more: { type: "boolean" },
        as_of: { type: ["string", "null"] },
        meta: {
          type: "object",
          properties: expect.objectContaining({ version: { type: "integer" }, scope: { type: "object" } }),
        },
        next: { type: ["object", "null"] },
        cost: {
          type: "object",
          properties: {
            rows: { type: "integer" },
            requests: { type: "integer" },
            rows_left: { type: "integer" },
          },
        },
        error: { type: "object" },
      },
      required: ["cost"],
      anyOf: [
        { required: ["data", "page", "page_size", "has_more", "as_of", "meta"] },
        { required: ["error"] },
      ],
    });
  });
});
