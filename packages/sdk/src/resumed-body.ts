import { type CallOptions, type Connection, waitToRetry } from "./call.ts";
import { errorOf } from "./error-of.ts";
import { TruckingDataFeedError } from "./errors.ts";

/** An answer whose body arrives while it is read. */
export interface Part {
  body: ReadableStream<Uint8Array>;
  response: Response;
}

/**
 * The bytes of a file, over broken connections: `resume` asks for those from a position on. What ends them early is one of
 * our errors, or the reason of the signal. Without `resume` the first break ends them.
 */
export function resumedBody(
  connection: Connection,
  first: Part,
  resume: ((from: number, stop: AbortSignal) => Promise<Part>) | null,
  { signal, maxRetries }: CallOptions,
): ReadableStream<Uint8Array> {
  const stopped = new AbortController();
  const stop = stopped.signal;
  let { response } = first;
  let reader = first.body.getReader();
  let bytes = 0;
  /** Breaks since bytes came. */
  let breaks = 0;
  let abort = () => {};
  const release = () => signal?.removeEventListener("abort", abort);

  /** The next bytes, over a break; null at the end. */
  async function next(): Promise<Uint8Array | null> {
    try {
      const { value } = await reader.read();
      if (value === undefined) return null;
      bytes += value.length;
      breaks = 0;
      return value;
    } catch (thrown) {
      stop.throwIfAborted();
      const error = errorOf(thrown, response);
      if (resume === null) throw error;
      await waitToRetry(connection, error, breaks, { signal: stop, maxRetries, isRepeatable: true });
      breaks += 1;
      return (await isResumed(resume)) ? next() : null;
    }
  }

  /** False when all bytes had come before the connection broke. */
  async function isResumed(ask: NonNullable<typeof resume>): Promise<boolean> {
    try {
      const part = await ask(bytes, stop);
      ({ response } = part);
      reader = part.body.getReader();
      if (!stop.aborted && (response.status === 206 || bytes === 0)) return true;
      await reader.cancel();
      stop.throwIfAborted();
    } catch (error) {
      if (error instanceof TruckingDataFeedError && error.code === "range_not_satisfiable") return false;
      throw error;
    }
    const detail = `The download broke off after ${bytes} bytes, and something on the way ignores Range.`;
    throw new TruckingDataFeedError({ code: "unexpected_answer", status: response.status, detail });
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      abort = () => {
        controller.error(signal?.reason);
        stopped.abort(signal?.reason);
        reader.cancel(signal?.reason).catch(() => {});
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    },
    async pull(controller) {
      try {
        const value = await next();
        if (stop.aborted) return;
        if (value !== null) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        if (!stop.aborted) controller.error(error);
      }
      release();
    },
    cancel(reason) {
      release();
      stopped.abort(reason);
      return reader.cancel(reason).catch(() => {});
    },
  });
}
