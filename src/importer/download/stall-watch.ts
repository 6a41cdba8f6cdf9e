/** Cuts what listens to its signal once nothing has moved for too long. */
export interface StallWatch {
  signal: AbortSignal;
  /** Something came: the time begins anew. */
  moved(): void;
  hasStalled(): boolean;
  /** Stops watching and cuts what still runs. */
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
