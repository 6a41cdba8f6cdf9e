import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { paths } from "./generated/openapi-fetch-client/schema.ts";
import { doTask, trialOfProgram } from "./task.ts";

const trial = trialOfProgram();
const api = createClient<paths>({ baseUrl: trial.baseUrl, headers: { "X-API-Key": trial.key } });
const path = { code: trial.feed };

function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const outcome = await doTask(
  {
    listFeeds: async () => got(await api.GET("/v1/feeds")),
    readRecords: async (page, version) =>
      got(
        await api.GET("/v1/feeds/{code}/records", {
          params: { path, query: { page, page_size: 2, ...(version && { version }) } },
        }),
      ),
    listVersions: async () => got(await api.GET("/v1/feeds/{code}/versions", { params: { path } })),
    readChanges: async (since) =>
      got(
        await api.GET("/v1/feeds/{code}/changes", {
          params: { path, query: "cursor" in since ? since : { since_version: since.version, limit: 1 } },
        }),
      ),
    register: async (url) =>
      got(await api.POST("/v1/webhooks", { body: { url, event_types: ["reinstated"] } })),
    sendTest: async (endpoint_id) =>
      got(await api.POST("/v1/webhooks/{endpoint_id}/test", { params: { path: { endpoint_id } } })),
    verify: (secret, { body, headers }) => new Webhook(secret).verify(body, headers),
  },
  trial,
);
process.stdout.write(JSON.stringify(outcome));
