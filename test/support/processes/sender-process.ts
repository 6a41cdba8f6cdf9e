// A sender in a separate process, for tests of its environment and its memory. Argument: { urls, sendCount, timeoutMs,
// warmUpUrl } as JSON. Sends to the warm-up URL a few times, then to all the URLs in turn, all at once; prints {
// results, rssGrowthBytes } as JSON.
import { createSender, type SendResult } from "../../../src/webhooks/egress/sender.ts";

/** The process's argument. */
export interface SenderOrders {
  urls: string[];
  sendCount: number;
  timeoutMs: number;
  warmUpUrl: string;
}

/** The process's output. */
export interface SenderReport {
  results: SendResult[];
  /** The largest growth of the memory in use. */
  rssGrowthBytes: number;
}

const { urls, sendCount, timeoutMs, warmUpUrl } = JSON.parse(process.argv[2] ?? "") as SenderOrders;
const BODY = JSON.stringify({ data: "x".repeat(390) });
const sender = createSender({ allowedCidrs: ["127.0.0.0/8"], timeoutMs });
const send = (url: string) =>
  sender.send({ url, headers: { "content-type": "application/json" }, body: BODY });

for (let sent = 0; sent < 50; sent += 1) await send(warmUpUrl);
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50);
const results = await Promise.all(
  Array.from({ length: sendCount }, (_, at) => send(urls[at % urls.length] ?? "")),
);
clearInterval(watch);
await sender.close();
const report: SenderReport = { results, rssGrowthBytes: peak - before };
process.stdout.write(JSON.stringify(report));
