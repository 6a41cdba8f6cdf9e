import { expect } from "vitest";
import { HOSTILITIES, startHostileReceiver } from "../support/hostile-receivers.ts";
import { startReceiver, TEST_CA_FILE } from "../support/receiver.ts";
import { sendInProcess } from "../support/sender-processes.ts";

export interface Onslaught {
  sendCount: number;
  timeoutMs: number;
  /** How long a hostile receiver waits between two bytes. */
  dripMs: number;
}

/** How much later than its deadline an attempt may end, on a machine that does this besides. */
const GRACE_MS = 1_000;
const MOST_GROWTH_BYTES = 100_000_000;

/** Sends to every kind of hostile receiver at once, and holds the sender to its deadline and its memory. */
export async function expectToEndInTime({ sendCount, timeoutMs, dripMs }: Onslaught): Promise<void> {
  const obliging = await startReceiver();
  const hostile = await Promise.all(
    Object.values(HOSTILITIES).map((hostility) => startHostileReceiver(hostility, { dripMs })),
  );
  try {
    const urls = hostile.map(({ url }) => url);
    const orders = { urls, sendCount, timeoutMs, warmUpUrl: obliging.url };
    const { results, rssGrowthBytes } = await sendInProcess(orders, { NODE_EXTRA_CA_CERTS: TEST_CA_FILE });
    const longestMs = Math.max(...results.map(({ durationMs }) => durationMs));
    console.log(
      `${sendCount} at once: the last ended after ${longestMs} ms, memory grew by ${rssGrowthBytes / 1e6} MB`,
    );
    expect(results).toHaveLength(sendCount);
    expect(longestMs).toBeLessThanOrEqual(timeoutMs + GRACE_MS);
    expect(rssGrowthBytes).toBeLessThan(MOST_GROWTH_BYTES);
    await expect.poll(() => hostile.reduce((sum, { openSockets }) => sum + openSockets(), 0)).toBe(0);
  } finally {
    for (const { close } of [obliging, ...hostile]) await close();
  }
}
