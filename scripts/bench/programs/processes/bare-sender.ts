// The limit of a dispatcher: undici posts one body to the receiver as often as it can, without signing or recording.
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { answerJobs } from "./jobs.ts";

export interface BareSenderJob {
  url: string;
  authorityFile: string;
  body: string;
  connections: number;
  requests: number;
}

let pool: Pool | null = null;

answerJobs<BareSenderJob>(async ({ url, authorityFile, body, connections, requests }) => {
  const { origin, pathname: path } = new URL(url);
  pool ??= new Pool(origin, { connections, pipelining: 1, connect: { ca: readFileSync(authorityFile) } });
  const sender = pool;
  const headers = { "content-type": "application/json" };
  let begun = 0;
  const keepSending = async () => {
    while (begun < requests) {
      begun += 1;
      const answer = await sender.request({ path, method: "POST", headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, keepSending));
  return requests / ((performance.now() - startedAt) / 1000);
});
