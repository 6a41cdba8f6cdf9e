// The only file that knows OpenTelemetry. startTracing loads it when traces are asked for.
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Log } from "../log.ts";
import { VERSION } from "../version.ts";
import type { Tracer } from "./tracing.ts";

const NAME = "trucking-data-feed";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** A receiver that does not answer may delay the end of a process by this much. */
const SEND_TIMEOUT_MS = 2_000;

/** Sends spans in batches to the receiver at `endpoint`. A failure to send is logged once, and its spans are lost. */
export function openTracer(endpoint: string, log: Log): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS });
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ "service.name": NAME, "service.version": VERSION }),
    ),
    spanProcessors: [
      new BatchSpanProcessor(loggingFailures(exporter, log), { exportTimeoutMillis: SEND_TIMEOUT_MS }),
    ],
  });
  provider.register();
  const library = provider.getTracer(NAME, VERSION);
  return {
    open: (name, kind, traceparent) => {
      const parent = traceparent
        ? propagation.extract(ROOT_CONTEXT, { traceparent })
        : kind === "server"
          ? ROOT_CONTEXT
          : context.active();
      const span = library.startSpan(name, { kind: KINDS[kind] }, parent);
      const inside = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        rename: (better) => void span.updateName(better),
        set: (attributes) => void span.setAttributes(attributes),
        within: (run) => context.with(inside, run),
        end: (outcome) => {
          if (outcome === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    isInside: () => trace.getSpan(context.active()) !== undefined,
    stop: async () => {
      await provider.shutdown().catch(() => {});
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

function loggingFailures(exporter: OTLPTraceExporter, log: Log): OTLPTraceExporter {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const { error } = result;
      if (error && !isFailing)
        log.warn({ reason: error.message }, "Traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT.");
      isFailing = error !== undefined;
      done(result);
    });
  return exporter;
}
