import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { TestService } from "./service.ts";

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

export interface McpConnection {
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** An answer of a tool, as its client reads it. */
interface ToolAnswer {
  isError: boolean;
  /** The sentences for the model, and after them the data as text. */
  texts: string[];
  // biome-ignore lint/suspicious/noExplicitAny: a parsed document, asked for whatever a test expects of it.
  data: any;
}

/** Connects a client of the official SDK to the service. */
export async function connectMcp(
  { url }: Pick<TestService, "url">,
  headers: Record<string, string>,
  revision: Revision = "2025-11-25",
  fetchWith: typeof fetch = fetch,
): Promise<McpConnection> {
  const mode = revision === "2025-11-25" ? "legacy" : { pin: revision };
  const client = new Client({ name: "test-client", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers },
    fetch: fetchWith,
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return {
    client,
    call: async (name, args = {}) => {
      const {
        isError = false,
        content,
        structuredContent,
      } = await client.callTool({ name, arguments: args });
      const texts = content.map((part) => (part.type === "text" ? part.text : part.type));
      return { isError, texts, data: structuredContent };
    },
  };
}

/** Sends one message as it is. */
export const postMessage = (
  service: TestService,
  message: unknown,
  { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Response> => service.send("POST", "/mcp", { key, body: message, headers });

export const LIST_TOOLS = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** A tool call as the 2025 revisions write it. */
export const toolCall = (name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
