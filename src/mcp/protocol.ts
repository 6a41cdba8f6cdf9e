import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Request as HttpRequest } from "express";
import { instructions } from "../generated/tools.ts";
import { VERSION } from "../platform/version.ts";
import { type Call, callTool } from "./call-tool.ts";
import type { Tools } from "./tools.ts";

const INFO = { name: "trucking-data-feed", title: "Trucking Data Feed", version: VERSION };

/** The list changes only with a release of the program. */
const LIST_FOR_MS = 3_600_000;

/** The server that answers one message of a caller. */
export function serverOf(tools: Tools, call: Call): Server {
  const server = new Server(INFO, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { "tools/list": { ttlMs: LIST_FOR_MS, cacheScope: "public" } },
  });
  server.setRequestHandler("tools/list", () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.get(params.name);
    if (tool) return callTool(call, tool, params.arguments ?? {});
    const names = [...tools.keys()].join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no such tool. The tools are ${names}.`,
    );
  });
  return server;
}

/** Answers one message as JSON, in the protocol's revision that the client speaks. */
export async function answerMessage(
  server: Server,
  { headers }: HttpRequest,
  message: unknown,
): Promise<Response> {
  // The library reads no address and, as the message is parsed, no body.
  const request = new Request("http://localhost/mcp", { method: "POST", headers: headersOf(headers) });
  const sent = { parsedBody: message };
  if (!(await isLegacyRequest(request, message))) {
    const errors: Error[] = [];
    const onerror = (error: Error) => errors.push(error);
    const answer = await createMcpHandler(() => server, { legacy: "reject", onerror }).fetch(request, sent);
    if (answer.status >= 500) throw errors.at(-1) ?? new Error(`The MCP library answered ${answer.status}.`);
    return answer;
  }
  // The library's own way for revisions before 2026-07-28 would answer with a stream of events.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, sent);
  } finally {
    await server.close();
  }
}

/** The headers for the library, which insists that a client of an older revision accepts streams too. */
function headersOf(sent: HttpRequest["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) headers.set(name, String(value));
  headers.set("Accept", "application/json, text/event-stream");
  return headers;
}
