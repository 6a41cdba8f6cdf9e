// Every answer passes through the zod schemas that Kubb makes.
import { setConfig } from "@kubb/plugin-client/clients/fetch";
import { Webhook } from "standardwebhooks";
import * as api from "./generated/kubb/client.ts";
import { problemSchema } from "./generated/kubb/zod.ts";
import { doTask, trialOfProgram } from "./task.ts";

const trial = trialOfProgram();
// Its client does not say by itself that a body is JSON.
setConfig({
  baseURL: trial.baseUrl,
  headers: { "X-API-Key": trial.key, "Content-Type": "application/json" },
});

const outcome = await doTask(
  {
    listFeeds: () => api.listFeeds(),
    readRecords: (page, version) =>
      api.readRecords(trial.feed, { page, page_size: 2, ...(version && { version }) }),
    listVersions: () => api.listFeedVersions(trial.feed),
    readChanges: (since) =>
      api.readFeedChanges(trial.feed, "cursor" in since ? since : { since_version: since.version, limit: 1 }),
    register: (url) => api.createWebhook({ url, event_types: ["reinstated"] }),
    sendTest: (endpoint) => api.testWebhook(endpoint),
    verify: (secret, { body, headers }) => new Webhook(secret).verify(body, headers),
  },
  trial,
);
// A problem of a later release: a client of today must read it.
const later = {
  type: "https://api.example.com/problems/later",
  title: "Later",
  status: 400,
  detail: "-",
  code: "later",
};
problemSchema.parse(later);
process.stdout.write(JSON.stringify(outcome));
