import { buffer } from "node:stream/consumers";
import { startRawServer } from "./raw-server.ts";

/** A proxy whose connections break. */
export interface CuttingProxy {
  url: string;
  /** `Range` of each request; null without one. */
  ranges: (string | null)[];
  close(): Promise<void>;
}

/**
 * Puts a proxy before a service. It breaks the connection of its first answer after `cuts[0]` bytes of the body, that of the
 * next one after `cuts[1]`, and so on; later answers come whole.
 */
export async function startCuttingProxy(target: string, cuts: readonly number[]): Promise<CuttingProxy> {
  const ranges: (string | null)[] = [];
  const server = await startRawServer(async (request, response) => {
    const cut = cuts[ranges.length] ?? null;
    ranges.push(request.headers.range ?? null);
    const { host, connection, ...headers } = request.headers;
    const sent = await buffer(request);
    const answer = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(sent.length > 0 && { body: sent }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(
      answer.status,
      // The service sends a file in chunks, and the rest of it with its length.
      [...answer.headers].filter(([name]) => name !== "content-length" || answer.status === 206).flat(),
    );
    if (cut === null) return response.end(body);
    response.write(body.subarray(0, cut), () => setImmediate(() => response.destroy()));
  });
  return { ...server, ranges };
}
