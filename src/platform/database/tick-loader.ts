import DataLoader from "dataloader";

/** Answers what is asked for in one tick by one statement, or by several of `maxBatchSize`; nothing is remembered. */
export const tickLoader = <Key, Value>(
  answer: DataLoader.BatchLoadFn<Key, Value>,
  { maxBatchSize = Number.POSITIVE_INFINITY }: { maxBatchSize?: number } = {},
): DataLoader<Key, Value> =>
  new DataLoader(answer, {
    cache: false,
    maxBatchSize,
    // The library's own schedule ends with the socket event at hand; this one gathers every request that has arrived.
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });
