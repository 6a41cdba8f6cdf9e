import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Bench } from "../frame/bench.ts";
import { queryOnce } from "../frame/databases.ts";
import type { BareHttpJob } from "../programs/processes/bare-http.ts";
import { startWorker } from "../programs/worker.ts";
import { pagePath, servedFeeds, sharedService } from "./served.ts";

/** The page that the hot-page measures request. */
export async function hotPageUrl(bench: Bench): Promise<string> {
  const { deep } = await servedFeeds(bench);
  return (await sharedService(bench)).url + pagePath(deep, 1);
}

export interface BareServer {
  url: string;
  pageBytes: number;
  stop(): void;
}

/** node:http with the bytes of that page or another one; on request, each answer waits for an upsert of a counter. */
export async function bareHttp(
  bench: Bench,
  counter: "logged" | "unlogged" | null,
  pageUrl?: string,
): Promise<BareServer> {
  const { customer, databaseUrl } = await servedFeeds(bench);
  const answer = await fetch(pageUrl ?? (await hotPageUrl(bench)), { headers: customer.headers });
  const body = Buffer.from(await answer.arrayBuffer());
  const bodyFile = path.join(bench.folder, `hot-page-${process.pid}.json`);
  await writeFile(bodyFile, body);
  bench.ending.defer(() => rm(bodyFile, { force: true }));
  const table = `bench_counter_${counter}`;
  if (counter !== null) {
    const kind = counter === "logged" ? "" : "UNLOGGED";
    await queryOnce(
      databaseUrl,
      `CREATE ${kind} TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, used bigint NOT NULL)`,
    );
  }
  const worker = startWorker<BareHttpJob>(bench, "bare-http.ts");
  const url = await worker.ask<string>({
    bodyFile,
    counter: counter === null ? null : { databaseUrl, table },
  });
  return { url, pageBytes: body.length, stop: worker.stop };
}
