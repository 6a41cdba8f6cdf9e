import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A span as OTLP sends it. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** An OpenTelemetry collector that keeps what it gets. */
export interface TraceReceiver {
  url: string;
  spans(): ReceivedSpan[];
  /** Everything that was sent, as text. */
  text(): string;
  close(): void;
}

export async function openTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === "/v1/traces") bodies.push(body);
    response.setHeader("Content-Type", "application/json");
    response.end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap(spansOf),
    text: () => bodies.join("\n"),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function spansOf(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
