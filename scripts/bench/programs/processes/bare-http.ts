// The limit of an HTTP answer: node:http with the same bytes and, on request, one counter upsert for each request.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { answerJobs } from "./jobs.ts";

export interface BareHttpJob {
  bodyFile: string;
  /** Null for no counter. */
  counter: { databaseUrl: string; table: string } | null;
}

answerJobs<BareHttpJob>(async ({ bodyFile, counter }) => {
  const body = readFileSync(bodyFile);
  const countOne = counter === null ? null : counterOf(counter);
  const headers = { "Content-Type": "application/json", "Content-Length": body.length };
  const server = createServer(async (_request, response) => {
    await countOne?.();
    response.writeHead(200, headers);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

function counterOf({ databaseUrl, table }: { databaseUrl: string; table: string }): () => Promise<unknown> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const text = `INSERT INTO ${table} AS stored (key, used) VALUES ($1, 1)
    ON CONFLICT (key) DO UPDATE SET used = stored.used + 1 RETURNING used`;
  return () => pool.query({ name: `count in ${table}`, text, values: ["one"] });
}
