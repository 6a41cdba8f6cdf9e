import { expect } from "vitest";
import { sendInProcess } from "../../../support/processes/sender-processes.ts";
import { HOSTILITIES, startHostileReceiver } from "../../../support/webhooks/hostile-receivers.ts";
import { startReceiver, TEST_CA_FILE } from "../../../support/webhooks/receiver.ts";

export interface Onslaught {
  sendCount: number;
  timeoutMs: number;
  /** How long a hostile receiver waits between two bytes. */
  dripMs: number;
}

/** The receivers that cost their sender most memory or time. */
const EXHAUSTING = [
  "a body without end",
  "10 GB of body",
  "a gzip bomb",
  "a body that drips",
  "headers that drip",
  "1 MB of headers",
  "silence after the request",
  "silence instead of TLS",
  "TLS that drips",
] as const;

/** How much later than its deadline an attempt may end on a busy machine. */
const GRACE_MS = 1_000;
const MOST_GROWTH_BYTES = 100_000_000;

/** Sends to hostile receivers of many kinds at once, and checks the sender's deadline and memory. */
export async function expectToEndInTime({ sendCount, timeoutMs, dripMs }: Onslaught): Promise<void> {
  const obliging = await startReceiver();
  const hostile = await Promise.all(
    EXHAUSTING.map((name) => startHostileReceiver(HOSTILITIES[name], { dripMs })),
  );
  try {
    const urls = hostile.map(({ url }) => url);
    const orders = { urls, sendCount, timeoutMs, warmUpUrl: obliging.url };
    const { results, rssGrowthBytes } = await sendInProcess(orders, { NODE_EXTRA_CA_CERTS: TEST_CA_FILE });
    const longestMs = Math.max(...results.map(({ durationMs }) => durationMs));
    expect(results).toHaveLength(sendCount);
    expect(longestMs).toBeLessThanOrEqual(timeoutMs + GRACE_MS);
    expect(rssGrowthBytes).toBeLessThan(MOST_GROWTH_BYTES);
  } finally {
    for (const { close } of [obliging, ...hostile]) await close();
  }
}
