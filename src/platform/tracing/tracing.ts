// Traces for OpenTelemetry, off unless OTEL_EXPORTER_OTLP_ENDPOINT is set. A span tells what the program did and how it
// ended: no key, no account, no address, no value of a query.
import type { Config } from "../context.ts";
import type { Log } from "../log.ts";

/** What a span tells besides its name and times. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A step of a trace, open until it ends. */
export interface Span {
  /** 32 hex digits. */
  traceId: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Spans that open while `run` and all that it starts run are steps of this one. */
  within<T>(run: () => T): T;
  end(outcome: "ok" | "failed"): void;
}

export interface Tracer {
  open(name: string, kind: "server" | "client" | "internal", traceparent?: string): Span;
  /** Whether a span is open around the caller. */
  isInside(): boolean;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}

/** One per process, because a trace follows calls through every module. */
let tracer: Tracer | null = null;

/** Starts tracing if the settings ask for it. Returns what ends it. */
export async function startTracing({ otlpEndpoint }: Config, log: Log): Promise<() => Promise<void>> {
  if (otlpEndpoint === null) return async () => {};
  // Loaded only here: the packages use memory, and each span time.
  const { openTracer } = await import("./otlp.ts");
  const started = openTracer(otlpEndpoint, log);
  tracer = started;
  return async () => {
    if (tracer === started) tracer = null;
    await started.stop();
  };
}

/** Opens the span of a request, as a step of the trace that its header `traceparent` names. Null: nothing is traced. */
export const requestSpan = (traceparent: string | undefined): Span | null =>
  tracer?.open("request", "server", traceparent) ?? null;

/** Runs a step of the program in a span. `attributesOf` adds what the result tells. */
export function traced<T>(
  name: string,
  run: () => Promise<T>,
  { kind = "internal", isDetail = false, attributesOf }: Step<T> = {},
): Promise<T> {
  if (tracer === null || (isDetail && !tracer.isInside())) return run();
  const span = tracer.open(name, kind);
  return span.within(run).then(
    (result) => {
      if (attributesOf) span.set(attributesOf(result));
      span.end("ok");
      return result;
    },
    (error: unknown) => {
      span.end("failed");
      throw error;
    },
  );
}

interface Step<T> {
  /** `client`: another program does the work. */
  kind?: "internal" | "client";
  /** Traced only as a step of another span. */
  isDetail?: boolean;
  attributesOf?: (result: T) => Attributes;
}
