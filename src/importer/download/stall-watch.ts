/** Aborts its signal when `moved` was not called for too long. */
export interface StallWatch {
  signal: AbortSignal;
  /** Restarts the timer. */
  moved(): void;
  hasStalled(): boolean;
  /** Stops the timer and aborts the signal. */
  end(): void;
}

export function stallWatch(stallMs: number): StallWatch {
  const controller = new AbortController();
  let hasStalled = false;
  const timer = setTimeout(() => {
    hasStalled = true;
    controller.abort();
  }, stallMs);
  return {
    signal: controller.signal,
    moved: () => timer.refresh(),
    hasStalled: () => hasStalled,
    end: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
