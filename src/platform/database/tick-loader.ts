import DataLoader from "dataloader";

/** A DataLoader without a cache: it batches the keys of one event-loop turn, at most `maxBatchSize` in a batch. */
export const tickLoader = <Key, Value>(
  answer: DataLoader.BatchLoadFn<Key, Value>,
  { maxBatchSize = Number.POSITIVE_INFINITY }: { maxBatchSize?: number } = {},
): DataLoader<Key, Value> =>
  new DataLoader(answer, {
    cache: false,
    maxBatchSize,
    // The library's own schedule covers one socket event. This one collects all requests that have arrived.
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });

/**
 * A tickLoader whose keys of the same name share a call of `answer`, which gives the value of each, or its error. When a
 * call fails, only the keys of its group do.
 */
export const groupLoader = <Key, Value>(
  nameOf: (key: Key) => string | number,
  answer: (group: readonly [Key, ...Key[]]) => Promise<(key: Key) => Value | Error>,
): DataLoader<Key, Value> =>
  tickLoader(async (batch) => {
    const groups = [...Map.groupBy(batch, nameOf)] as [string | number, [Key, ...Key[]]][];
    const asked = groups.map(async ([name, group]) => [name, await answer(group).catch(toError)] as const);
    const answers = new Map(await Promise.all(asked));
    return batch.map((key) => {
      const answered = answers.get(nameOf(key)) ?? new Error("A key was left out of its group");
      return answered instanceof Error ? answered : answered(key);
    });
  });

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
