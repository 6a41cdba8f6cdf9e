import { Webhook } from "standardwebhooks";
import * as api from "./generated/orval/client.ts";
import { doTask, trialOfProgram } from "./task.ts";

const trial = trialOfProgram();
const options: RequestInit = { headers: { "X-API-Key": trial.key } };

/** The answer's body, if the status is one that the operation promises. */
function got<T extends { status: number; data: unknown }, S extends T["status"]>(
  answer: T,
  status: S,
): Extract<T, { status: S }>["data"] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.data));
  return (answer as Extract<T, { status: S }>).data;
}

const outcome = await doTask(
  {
    listFeeds: async () => got(await api.listFeeds(options), 200),
    readRecords: async (page, version) => {
      const query = { page, page_size: 2, ...(version && { version }) };
      return got(await api.readRecords(trial.feed, query, options), 200);
    },
    listVersions: async () => got(await api.listFeedVersions(trial.feed, {}, options), 200),
    readChanges: async (since) => {
      const query = "cursor" in since ? since : { since_version: since.version, limit: 1 };
      return got(await api.readFeedChanges(trial.feed, query, options), 200);
    },
    register: async (url) => got(await api.createWebhook({ url, event_types: ["reinstated"] }, options), 201),
    sendTest: async (endpoint) => got(await api.testWebhook(endpoint, options), 202),
    verify: (secret, { body, headers }) => new Webhook(secret).verify(body, headers),
  },
  trial,
);
process.stdout.write(JSON.stringify(outcome));
