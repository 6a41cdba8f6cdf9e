import { type Answer, answerOf, type Call, callOf } from "./answer.ts";
import { foreignAnswer, isOwnAnswer } from "./error-of.ts";
import { TruckingDataFeedError } from "./errors.ts";
import type { Client } from "./generated/operations/client/index.ts";
import { checkOptions, type OptionNames } from "./options.ts";

/** An attempt that failed and is made again. */
export interface Retry {
  /** Why it failed. */
  error: TruckingDataFeedError;
  /** How long the client waits before the next attempt. */
  waitMs: number;
}

/** Where and how calls are made. */
export interface Connection {
  client: Client;
  timeoutMs: number;
  maxRetries: number;
  maxRetryWaitSeconds: number;
  onRetry: (retry: Retry) => void;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What every generated operation is given. */
interface Sent {
  client: Client;
  throwOnError: true;
  signal: AbortSignal;
  headers: Record<string, string>;
}

interface Manner extends CallOptions {
  /** Whether the request changes nothing when it is sent twice. Others are repeated only after a 429. */
  isRepeatable: boolean;
}

/** A call's own options. */
export interface CallOptions {
  /** Stops the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds; that of the client unless given. */
  timeoutMs?: number | undefined;
  /** How often the call is made again after a temporary error; that of the client unless given. */
  maxRetries?: number | undefined;
  /** Headers to send with each request of the call, for example the id of a trace. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The names of a call's own options. */
export const CALL_OPTIONS: OptionNames<CallOptions> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  headers: true,
};

/** An operation that answers with a body. */
type Operation<Body> = (sent: Sent) => Promise<{ data: Body; response: Response }>;

/** A request that changes nothing when it is sent twice. */
export const ask = <Body>(
  connection: Connection,
  operation: Operation<Body>,
  options?: CallOptions,
): Call<Body> => callOf(answerTo(connection, operation, options, true));

/** A request that the service does once however often it is sent, by its idempotency key. */
export const askOnce = <Body>(
  connection: Connection,
  operation: Operation<Body>,
  options: CallOptions = {},
): Call<Body> => {
  // Names of headers are the same in upper and lower case. Two keys would be sent as one that is always new.
  const hasOwn = Object.keys(options.headers ?? {}).some((name) => /^idempotency-key$/i.test(name));
  const headers = { ...options.headers, ...(!hasOwn && { "Idempotency-Key": crypto.randomUUID() }) };
  return ask(connection, operation, { ...options, headers });
};

/** Any other request. It is repeated only after a 429. */
export const askUnrepeated = <Body>(
  connection: Connection,
  operation: Operation<Body>,
  options?: CallOptions,
): Call<Body> => callOf(answerTo(connection, operation, options, false));

async function answerTo<Body>(
  connection: Connection,
  operation: Operation<Body>,
  options: CallOptions | undefined,
  isRepeatable: boolean,
): Promise<Answer<Body>> {
  checkOptions(options, CALL_OPTIONS);
  const { data, response } = await call(connection, operation, { ...options, isRepeatable });
  if (!isOwnAnswer(data, response)) throw foreignAnswer(response);
  return answerOf(data, response);
}

/** Calls an operation, again after temporary errors. An abort rejects with the signal's reason. */
export async function call<Answered>(
  connection: Connection,
  operation: (sent: Sent) => Promise<Answered>,
  manner: Manner,
): Promise<Answered> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(connection, operation, manner);
    } catch (error) {
      await waitToRetry(connection, error, retries, manner);
    }
  }
}

/** Waits before a retry, after so many in a row. Throws the error itself when there is to be none. */
export async function waitToRetry(
  connection: Connection,
  error: unknown,
  retries: number,
  manner: Manner,
): Promise<void> {
  const waitMs = waitMsAfter(error, retries, manner, connection);
  if (waitMs === null) throw error;
  connection.onRetry({ error: error as TruckingDataFeedError, waitMs });
  await wait(connection, waitMs, manner.signal);
}

/** Sleeps; rejects with the signal's reason when that comes first. */
export async function wait({ sleep }: Connection, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await sleep(Math.min(ms, LONGEST_TIMER_MS), signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  signal?.throwIfAborted();
}

/** A longer timer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

async function attempt<Answered>(
  connection: Connection,
  operation: (sent: Sent) => Promise<Answered>,
  { signal, headers = {}, timeoutMs = connection.timeoutMs }: CallOptions,
): Promise<Answered> {
  signal?.throwIfAborted();
  // Throws a TypeError for what HTTP can't carry, before anything is sent.
  const carried = Object.fromEntries(new Headers(headers));
  const attempted = new AbortController();
  const abort = () => attempted.abort(signal?.reason);
  const timer = setTimeout(() => attempted.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const sent = { client: connection.client, throwOnError: true, headers: carried } as const;
    return await operation({ ...sent, signal: attempted.signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!attempted.signal.aborted) throw error;
    const detail = `The service did not answer within ${timeoutMs} ms.`;
    throw new TruckingDataFeedError({ code: "timeout", detail, cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

const FIRST_WAIT_MS = 500;

/** How long to wait before the next attempt; null when there is none. */
function waitMsAfter(error: unknown, retries: number, manner: Manner, connection: Connection): number | null {
  const { maxRetryWaitSeconds } = connection;
  const { maxRetries = connection.maxRetries } = manner;
  if (!(error instanceof TruckingDataFeedError) || !error.isTemporary || retries >= maxRetries) return null;
  if (!manner.isRepeatable && error.status !== 429) return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds <= maxRetryWaitSeconds ? retryAfterSeconds * 1000 : null;
  }
  // A random part, so that clients that failed together do not come back together.
  const waitMs = FIRST_WAIT_MS * 2 ** retries * (0.5 + Math.random() / 2);
  return Math.min(waitMs, maxRetryWaitSeconds * 1000);
}
