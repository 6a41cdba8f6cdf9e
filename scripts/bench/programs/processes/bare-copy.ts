// One COPY on the pg driver, instead of psql; answers its milliseconds.
import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { answerJobs } from "./jobs.ts";

export type BareCopyJob =
  | { direction: "in"; databaseUrl: string; statement: string; file: string }
  | { direction: "out"; databaseUrl: string; select: string };

answerJobs<BareCopyJob>(async (job) => {
  const client = new pg.Client({ connectionString: job.databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    if (job.direction === "in")
      await pipeline(createReadStream(job.file), client.query(copyFrom(job.statement)));
    else await pipeline(client.query(copyTo(`COPY (${job.select}) TO STDOUT`)), nowhere());
    return performance.now() - startedAt;
  } finally {
    await client.end();
  }
});

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
