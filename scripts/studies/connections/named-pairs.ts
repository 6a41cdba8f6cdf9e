import { setTimeout as wait } from "node:timers/promises";
import type { components } from "../../../src/generated/types.ts";
import type { Bench } from "../../bench/frame/bench.ts";

type Connections = components["schemas"]["ConnectionsOut"];

/** Two companies that an answer about one of them names together, with the kinds of their links. */
export interface NamedPair {
  usdots: readonly [lower: number, higher: number];
  kinds: readonly string[];
}

/** What a customer learns who asks for the connections of every carrier. */
export interface Answers {
  /** The carriers that were answered; others are in no feed, or natural persons. */
  answered: ReadonlySet<number>;
  pairs: readonly NamedPair[];
}

const AT_ONCE = 16;
const FOUND_TIMEOUT_MS = 1_800_000;

/** Asks a service for the connections of carriers, all pages of them. */
export async function askForConnections(
  bench: Bench,
  { url, headers }: { url: string; headers: Record<string, string> },
  usdots: readonly number[],
): Promise<Answers> {
  const ask = (usdot: number, cursor: string | null) =>
    fetch(`${url}/v1/carriers/${usdot}/connections?limit=50${cursor === null ? "" : `&cursor=${cursor}`}`, {
      headers,
    });
  const answered = new Set<number>();
  const pairs = new Map<string, NamedPair>();
  const waiting = usdots.values();
  const readOne = async (usdot: number): Promise<void> => {
    for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
      const answer = await untilFound(bench, () => ask(usdot, cursor as string | null));
      if (answer === null) return;
      answered.add(usdot);
      for (const { usdot: other, links } of answer.data) {
        const both = [usdot, Number(other)].toSorted((one, two) => one - two) as [number, number];
        pairs.set(both.join(), { usdots: both, kinds: links.map(({ kind }) => kind) });
      }
      cursor = answer.next_cursor ?? undefined;
    }
  };
  const reader = async (): Promise<void> => {
    for (const usdot of waiting) await readOne(usdot);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return { answered, pairs: [...pairs.values()] };
}

/** The answer, once the service has found connections for the first time; null for 404. */
async function untilFound(bench: Bench, ask: () => Promise<Response>): Promise<Connections | null> {
  for (const deadline = performance.now() + FOUND_TIMEOUT_MS; performance.now() < deadline; ) {
    bench.interruption.throwIfAborted();
    const answer = await ask();
    if (answer.status === 200) return (await answer.json()) as Connections;
    const text = await answer.text();
    if (answer.status === 404) return null;
    if (answer.status !== 503) throw new Error(`Connections answered ${answer.status}: ${text}`);
    await wait(1_000);
  }
  throw new Error("The connections were not found in time.");
}
