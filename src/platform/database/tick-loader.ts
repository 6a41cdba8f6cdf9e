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
