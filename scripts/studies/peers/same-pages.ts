import type { Peer } from "./peer.ts";

/** Throws unless all programs answer these pages with the same carriers. */
export async function requireSamePages(
  peers: readonly Peer[],
  pathsOf: (peer: Peer) => string[],
): Promise<void> {
  const [first, ...others] = await inTurn(peers, async (peer) => ({
    name: peer.name,
    carriers: JSON.stringify(await inTurn(pathsOf(peer), (path) => carriersOn(peer, path))),
  }));
  for (const { name, carriers } of others) {
    if (carriers !== first?.carriers) throw new Error(`${name} has other carriers on its pages.`);
  }
}

async function inTurn<T, U>(items: readonly T[], run: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

async function answerOf({ name, url, headers }: Peer, path: string): Promise<Response> {
  const answer = await fetch(url + path, { headers });
  if (answer.status === 200) return answer;
  throw new Error(`${name} answered ${answer.status} to ${path}: ${await answer.text()}`);
}

async function carriersOn(peer: Peer, path: string): Promise<string[]> {
  type Records = { dot_number: string }[];
  const body = (await (await answerOf(peer, path)).json()) as { data?: Records; records?: Records };
  return (body.records ?? body.data ?? []).map(({ dot_number }) => dot_number);
}
