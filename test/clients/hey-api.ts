import { Webhook } from "standardwebhooks";
import { createClient } from "./generated/hey-api-client/client/index.ts";
import * as api from "./generated/hey-api-client/index.ts";
import { doTask, trialOfProgram } from "./task.ts";

const trial = trialOfProgram();
const client = createClient({ baseUrl: trial.baseUrl, auth: trial.key });
const feed = { client, path: { code: trial.feed } };

function got<T>({ data, error }: { data: T | undefined; error: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const outcome = await doTask(
  {
    listFeeds: async () => got(await api.listFeeds({ client })),
    readRecords: async (page, version) =>
      got(await api.readRecords({ ...feed, query: { page, page_size: 2, ...(version && { version }) } })),
    listVersions: async () => got(await api.listFeedVersions(feed)),
    readChanges: async (since) => {
      const query = "cursor" in since ? since : { since_version: since.version, limit: 1 };
      return got(await api.readFeedChanges({ ...feed, query }));
    },
    register: async (url) =>
      got(await api.createWebhook({ client, body: { url, event_types: ["reinstated"] } })),
    sendTest: async (endpoint_id) => got(await api.testWebhook({ client, path: { endpoint_id } })),
    verify: (secret, { body, headers }) => new Webhook(secret).verify(body, headers),
  },
  trial,
);
process.stdout.write(JSON.stringify(outcome));
