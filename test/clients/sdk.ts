import { createClient, verifyWebhook } from "@trucking-data-feed/sdk";
import { doTask, trialOfProgram } from "./task.ts";

const trial = trialOfProgram();
const tdf = createClient({ apiKey: trial.key, baseUrl: trial.baseUrl });

async function first<T>(pages: AsyncIterable<T>): Promise<T> {
  for await (const page of pages) return page;
  throw new Error("There was no page.");
}

const outcome = await doTask(
  {
    listFeeds: async () => ({ data: await tdf.feeds() }),
    readRecords: (page, version) => nthPage(page, version),
    listVersions: () => first(tdf.versions(trial.feed).pages()),
    readChanges: (since) => {
      const [version, cursor] = "cursor" in since ? [0, since.cursor] : [since.version, null];
      return first(tdf.changes(trial.feed, version, {}, { pageSize: 1, cursor }).pages());
    },
    register: (url) => tdf.webhooks.create({ url, event_types: ["reinstated"] }),
    sendTest: (endpoint) => tdf.webhooks.test(endpoint),
    verify: (secret, { body, headers }) =>
      verifyWebhook({ body, secret, header: headers["service-signature"] }),
  },
  trial,
);
process.stdout.write(JSON.stringify(outcome));

async function nthPage(wanted: number, version?: number) {
  let page = 0;
  for await (const read of tdf
    .records(trial.feed, { ...(version && { version }) }, { pageSize: 2 })
    .pages()) {
    page += 1;
    if (page === wanted) return read;
  }
  throw new Error(`There is no page ${wanted}.`);
}
