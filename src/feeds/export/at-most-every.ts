/** Runs the check, unless it ran within the last `ms` milliseconds. */
export function atMostEvery(ms: number, check: () => Promise<void>): () => Promise<void> {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    if (nowMs - lastAtMs < ms) return;
    lastAtMs = nowMs;
    await check();
  };
}
