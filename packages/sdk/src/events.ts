import { type Answer, type Pages, pagesOf } from "./answer.ts";
import { ask, CALL_OPTIONS, type CallOptions, type Connection, wait } from "./call.ts";
import { TruckingDataFeedError } from "./errors.ts";
import { listEvents } from "./generated/operations/sdk.gen.ts";
import type { EventOut, EventsOut, EventType, ListEventsData } from "./generated/operations/types.gen.ts";
import type { OptionNames } from "./options.ts";

/** An event of some types; `type` tells them apart. */
export type CarrierEvent<Type extends EventType = EventType> = Type extends EventType
  ? Omit<EventOut, "type"> & { type: Type }
  : never;

/**
 * One page of events, as the service sends it. `meta.resume_cursor` is the position after it. With `meta.has_gap`, events
 * before the page are missing: they are no longer kept.
 */
export type EventPage<Type extends EventType = EventType> = Omit<EventsOut, "data"> & {
  data: CarrierEvent<Type>[];
};

/** Which events are read, from where, and how. */
export interface EventQuery<Type extends EventType = EventType> extends CallOptions {
  /** Only these types; every type of the plan unless given. */
  type?: Type[];
  /** Only these states, for example `["TX", "OK"]`; the plan's states unless given. */
  state?: string[];
  /** Only of these carriers: up to 50 USDOT numbers. */
  usdot?: string[];
  /** Only of the carriers on this watchlist: its id. */
  watchlist?: number;
  /** Only events detected at or after this time; 7 days ago unless given. A `cursor` goes before it. */
  since?: Date | string;
  /** The position to continue from: the `cursor` of an earlier stream. A cursor never expires. */
  cursor?: string | null | undefined;
  /** Events per request, 1 to 1,000; 100 unless given. */
  pageSize?: number;
  /** Keeps asking for new events instead of ending. Temporary errors are waited out, others are thrown. */
  follow?: boolean;
  /** The seconds between two questions when there is nothing new; 60 unless given. */
  pollSeconds?: number;
  /** Stops the reading. A stream that follows then ends after its page; another one rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The names of what a query of events takes. */
export const EVENT_OPTIONS: OptionNames<EventQuery> = {
  type: true,
  state: true,
  usdot: true,
  watchlist: true,
  since: true,
  cursor: true,
  pageSize: true,
  follow: true,
  pollSeconds: true,
  ...CALL_OPTIONS,
};

/** Events, oldest first. A second loop continues at `cursor`. */
export interface EventStream<Type extends EventType = EventType> extends AsyncIterable<CarrierEvent<Type>> {
  /**
   * The position after the newest page whose events were all taken from the stream. Store it after you handled an event: to
   * continue there repeats at most the page that was interrupted, so recognise repeats by `id`. Null before the first page.
   */
  readonly cursor: string | null;
  /** The same by pages. Store `page.meta.resume_cursor` together with the page's events: then nothing is repeated. */
  pages(): Pages<EventPage<Type>>;
}

/** The events that a query asks for. Requests are sent while the caller reads. */
export function streamEvents<Type extends EventType>(
  connection: Connection,
  query: EventQuery<Type>,
): EventStream<Type> {
  const { follow = false, signal, timeoutMs, maxRetries, headers } = query;
  const pollMs = (query.pollSeconds ?? 60) * 1000;
  let cursor = query.cursor ?? null;

  async function* answers(): AsyncGenerator<Answer<EventPage<Type>>, void, undefined> {
    for (;;) {
      const { answer, waitMs } = await readPage();
      if (answer !== null) {
        yield answer;
        const { meta, next_cursor } = answer.data;
        cursor = meta.resume_cursor;
        if (next_cursor !== null) continue;
      }
      if (!follow || !(await isWokenAfter(waitMs))) return;
    }
  }

  /** The next page, and the wait after it. No page when a stream that follows was aborted or has to wait. */
  async function readPage(): Promise<{ answer: Answer<EventPage<Type>> | null; waitMs: number }> {
    try {
      const asked = { ...sentQuery(query), ...(cursor === null ? {} : { cursor }) };
      const options = { signal, timeoutMs, maxRetries, headers };
      const page = ask(connection, (sent) => listEvents({ ...sent, query: asked }), options);
      return { answer: (await page.withResponse()) as Answer<EventPage<Type>>, waitMs: pollMs };
    } catch (error) {
      if (!follow) throw error;
      if (signal?.aborted) return { answer: null, waitMs: 0 };
      if (!(error instanceof TruckingDataFeedError) || !error.isTemporary) throw error;
      const waitMs = Math.max(pollMs, (error.retryAfterSeconds ?? 0) * 1000);
      connection.onRetry({ error, waitMs });
      return { answer: null, waitMs };
    }
  }

  /** False when the signal came before the time was over. */
  const isWokenAfter = (ms: number): Promise<boolean> =>
    wait(connection, ms, signal).then(
      () => true,
      (error: unknown) => {
        if (signal?.aborted) return false;
        throw error;
      },
    );

  return {
    get cursor() {
      return cursor;
    },
    pages: () => pagesOf(answers),
    async *[Symbol.asyncIterator]() {
      for await (const { data: page } of answers()) yield* page.data;
    },
  };
}

function sentQuery({
  type,
  state,
  usdot,
  watchlist,
  since,
  pageSize,
}: EventQuery): NonNullable<ListEventsData["query"]> {
  return {
    ...(type && { type }),
    ...(state && { state }),
    ...(usdot && { usdot }),
    ...(watchlist !== undefined && { watchlist }),
    ...(since !== undefined && { since: typeof since === "string" ? since : since.toISOString() }),
    ...(pageSize !== undefined && { limit: pageSize }),
  };
}
