/**
 * Runs `work`, which must not reject, now and every so often, one run after the other, until the returned function is
 * called. That waits for the run under way. A process that has nothing else to do ends meanwhile.
 */
export function repeatEvery(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let working = work();
  const timer = setInterval(() => {
    working = working.then(work);
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}
