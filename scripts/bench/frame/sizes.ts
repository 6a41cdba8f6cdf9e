/** Amounts and durations of the measures. */
export interface Sizes {
  isSmoke: boolean;
  /** Companies in the census of the generated registry. */
  carriers: number;
  seed: number;
  /** How often the service and its limit are measured in turn; the median counts. */
  rounds: number;
  /** Rows of the enlarged versions for pages and exports. */
  feedRows: { deep: number; whole: number };
  /** Requests of each kind in a round of latencies. */
  requests: number;
  warmMs: number;
  /** Duration of a throughput measurement in each round. */
  runMs: number;
  events: number;
  deliveries: number;
  /** Deliveries that wait while others are measured, and their endpoints. */
  backlog: { deliveries: number; endpoints: number };
  removals: number;
  /** Accounts that watch carriers, and how many each of them. */
  watching: { accounts: number; carriers: number };
  /** How long an export is kept open while versions are published. */
  openExportMs: number;
}

/** Size of the real registry; the default is a tenth of it. */
export const REAL_CARRIERS = 4_500_000;

/** The sizes of a run; `--smoke` only shows that every measure works. */
export function sizesOf(asked: { carriers?: number; rounds?: number; seed: number; smoke?: true }): Sizes {
  const { seed, smoke: isSmoke = false } = asked;
  if (isSmoke) {
    return {
      isSmoke,
      seed,
      carriers: asked.carriers ?? 1_500,
      rounds: asked.rounds ?? 1,
      feedRows: { deep: 6_000, whole: 4_000 },
      requests: 5,
      warmMs: 50,
      runMs: 150,
      events: 3_000,
      deliveries: 300,
      backlog: { deliveries: 3_000, endpoints: 50 },
      removals: 10,
      watching: { accounts: 20, carriers: 50 },
      openExportMs: 500,
    };
  }
  return {
    isSmoke,
    seed,
    carriers: asked.carriers ?? REAL_CARRIERS / 10,
    rounds: asked.rounds ?? 5,
    feedRows: { deep: 600_000, whole: 400_000 },
    requests: 40,
    warmMs: 1_000,
    runMs: 3_000,
    events: 3_000_000,
    deliveries: 20_000,
    backlog: { deliveries: 5_000_000, endpoints: 10_000 },
    removals: 1_000,
    watching: { accounts: 1_000, carriers: 1_000 },
    openExportMs: 60_000,
  };
}
