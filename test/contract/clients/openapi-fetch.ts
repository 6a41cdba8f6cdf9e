// A customer's program with a client made by openapi-typescript for openapi-fetch. It is compiled with the generated
// types in ./openapi-fetch-client, and each @ts-expect-error below is a mistake that those types must refuse.
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-fetch-client/schema.ts";
import type { Report, Trial } from "./report.ts";

type Problem = components["schemas"]["Problem"];
type Invalid = components["schemas"]["ValidationErrors"];

const { baseUrl, keys, dot } = JSON.parse(process.argv[2] ?? "") as Trial;
const as = (key?: string) =>
  createClient<paths>({ baseUrl, headers: key === undefined ? {} : { "X-API-Key": key } });
const client = as(keys.customer);
const NEW = { code: "us_new_authority_weekly" };
const RECORDS = "/v1/feeds/{code}/records";

function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** As described in the contract's text. */
type PageOf<FeedRecord> = Omit<components["schemas"]["RecordsOut"], "data"> & { data: FeedRecord[] };

const feeds = got(await client.GET("/v1/feeds"));

const walked: string[] = [];
for (let page = 1, hasMore = true, version: number | undefined; hasMore; page++) {
  const query = { page, page_size: 2, ...(version === undefined ? {} : { version }) };
  const read = got(await client.GET(RECORDS, { params: { path: NEW, query } }));
  walked.push(...read.data.map((record) => record.dot_number));
  hasMore = read.has_more;
  version = read.meta.version;
}

const inTwoStates = { params: { path: NEW, query: { state: ["TX", "CA"] } } };
const comma = got(
  await client.GET(RECORDS, {
    ...inTwoStates,
    querySerializer: { array: { style: "form", explode: false } },
  }),
);
const repeated = got(await client.GET(RECORDS, inTwoStates));
const filtered = got(
  await client.GET(RECORDS, {
    params: {
      path: NEW,
      query: {
        state: ["TX"],
        trucks_min: 1,
        trucks_max: 20,
        general_freight: true,
        granted_since: "2026-01-01",
      },
    },
  }),
);
const brokers = got(
  await client.GET(RECORDS, { params: { path: { code: "us_brokers" }, query: { entity_type: "broker" } } }),
);
const csv: string = got(
  await client.GET("/v1/feeds/{code}/export.csv", { params: { path: NEW }, parseAs: "text" }),
);
const carrier = got(await client.GET("/v1/carriers/{dot}", { params: { path: { dot } } }));
const usage = got(await client.GET("/v1/usage"));
const left: number = usage.limits.api_rows_left;

const errors: Report["errors"] = [];
const note = ({ error, response }: { error?: Problem | Invalid; response: Response }) => {
  if (error === undefined) throw new Error(`${response.url} should have failed`);
  const what = "code" in error ? error.code : error.detail.map(({ loc }) => loc.join(" ")).join();
  errors.push([response.status, what]);
};
note(await as().GET("/v1/feeds"));
note(await as(keys.planWithoutApi).GET("/v1/feeds"));
note(await as(keys.spentMinute).GET("/v1/usage"));
note(await as(keys.spentQuota).GET(RECORDS, { params: { path: NEW } }));
note(await client.GET(RECORDS, { params: { path: { code: "us_no_such_feed" } } }));
note(await client.GET(RECORDS, { params: { path: { code: "us_revocation_pending" } } }));
note(await client.GET(RECORDS, { params: { path: { code: "us_insurance_lapse_alerts" } } }));
note(await client.GET(RECORDS, { params: { path: NEW, query: { entity_type: "broker" } } }));
note(await client.GET(RECORDS, { params: { path: NEW, query: { page: 0 } } }));
note(await client.GET("/v1/carriers/{dot}", { params: { path: { dot: "99999999" } } }));

const webhook = got(
  await client.POST("/v1/webhooks", {
    body: { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] },
  }),
);
const byId = { params: { path: { endpoint_id: webhook.id } } };
const test = got(await client.POST("/v1/webhooks/{endpoint_id}/test", byId));
const rotated = got(await client.POST("/v1/webhooks/{endpoint_id}/rotate", byId));
await client.DELETE("/v1/webhooks/{endpoint_id}", byId);
const webhooks = got(await client.GET("/v1/webhooks"));

/** Never called: the types must refuse each statement. */
export async function refused(): Promise<void> {
  // @ts-expect-error: no such path
  await client.GET("/v1/feed");
  // @ts-expect-error: the feed code is required
  await client.GET(RECORDS, { params: {} });
  // @ts-expect-error: no such filter
  await client.GET(RECORDS, { params: { path: NEW, query: { colour: "red" } } });
  // @ts-expect-error: a number, not a text
  await client.GET(RECORDS, { params: { path: NEW, query: { trucks_min: "2" } } });
  // @ts-expect-error: not one of the words
  await client.GET(RECORDS, { params: { path: NEW, query: { phone_type: "fax" } } });
  // @ts-expect-error: event types are required
  await client.POST("/v1/webhooks", { body: { url: "https://hooks.example.com" } });
  // @ts-expect-error: no such event type
  await client.POST("/v1/webhooks", { body: { url: "https://hooks.example.com", event_types: ["sold"] } });
  // @ts-expect-error: no such member
  usage.month_end;
  // @ts-expect-error: may be null
  feeds.data[0]?.as_of.length;
}

const report: Report = {
  feeds: feeds.data.map(({ code }) => code),
  walked,
  byComma: comma.data.map((record) => record.dot_number),
  byRepeating: repeated.data.map((record) => record.dot_number),
  filtered: filtered.data.map((record) => record.dot_number),
  entityTypes: (brokers as PageOf<components["schemas"]["BrokerRecord"]>).data.map(
    (record) => record.entity_type,
  ),
  csvLines: csv.split("\r\n"),
  carrier: {
    usdot: carrier.usdot,
    feeds: carrier.records.map(({ feed }) => feed),
    events: carrier.events.length,
  },
  rowsUsed: usage.limits.api_rows_month - left,
  errors,
  webhook: {
    eventTypes: webhook.event_types,
    test: test.status,
    isRotated: rotated.secret !== webhook.secret,
    isActiveAtLast: webhooks.data.find(({ id }) => id === webhook.id)?.active ?? true,
  },
};
process.stdout.write(JSON.stringify(report));
