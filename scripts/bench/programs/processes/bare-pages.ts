// Reads random pages of a table by a prepared statement, instead of pgbench; answers the mean latency.
import pg from "pg";
import { answerJobs } from "./jobs.ts";

export interface BarePagesJob {
  databaseUrl: string;
  table: string;
  pages: number;
  pageSize: number;
  runMs: number;
}

answerJobs<BarePagesJob>(async ({ databaseUrl, table, pages, pageSize, runMs }) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const text = `SELECT json FROM ${table} WHERE pos > $1 AND pos <= $2 ORDER BY pos`;
  const startedAt = performance.now();
  let read = 0;
  while (performance.now() - startedAt < runMs) {
    const start = pageSize * Math.floor(Math.random() * pages);
    await client.query({ name: "page", text, values: [start, start + pageSize], rowMode: "array" });
    read += 1;
  }
  const latencyMs = (performance.now() - startedAt) / read;
  await client.end();
  return latencyMs;
});
