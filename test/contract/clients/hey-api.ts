// A customer's program with a client made by @hey-api/openapi-ts. It is compiled with the generated code in
// ./hey-api-client, and each @ts-expect-error below is a mistake that its types must refuse.
import { createClient } from "./hey-api-client/client/index.ts";
import * as api from "./hey-api-client/index.ts";
import type { Report, Trial } from "./report.ts";

const { baseUrl, keys, dot } = JSON.parse(process.argv[2] ?? "") as Trial;
const as = (key?: string) => ({ client: createClient({ baseUrl, auth: key ?? "" }) });
const customer = as(keys.customer);
const NEW = { code: "us_new_authority_weekly" };

function got<T>({ data, error }: { data: T | undefined; error: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** As described in the contract's text. */
type PageOf<FeedRecord> = Omit<api.RecordsOut, "data"> & { data: FeedRecord[] };

const feeds = got(await api.listFeeds(customer));

const walked: string[] = [];
for (let page = 1, hasMore = true, version: number | undefined; hasMore; page++) {
  const query = { page, page_size: 2, ...(version === undefined ? {} : { version }) };
  const read = got(await api.readRecords({ ...customer, path: NEW, query }));
  walked.push(...read.data.map((record) => record.dot_number));
  hasMore = read.has_more;
  version = read.meta.version;
}

const inTwoStates = { ...customer, path: NEW, query: { state: ["TX", "CA"] } };
const comma = got(await api.readRecords(inTwoStates));
const repeated = got(
  await api.readRecords({ ...inTwoStates, querySerializer: { array: { style: "form", explode: true } } }),
);
const filtered = got(
  await api.readRecords({
    ...customer,
    path: NEW,
    query: {
      state: ["TX"],
      trucks_min: 1,
      trucks_max: 20,
      general_freight: true,
      granted_since: "2026-01-01",
    },
  }),
);
const brokers = got(
  await api.readRecords({ ...customer, path: { code: "us_brokers" }, query: { entity_type: "broker" } }),
);
const csv: string = got(await api.exportFeed({ ...customer, path: NEW }));
const carrier = got(await api.lookUpCarrier({ ...customer, path: { dot } }));
const usage = got(await api.readUsage(customer));
const left: number = usage.limits.api_rows_left;

const errors: Report["errors"] = [];
type Failure = { error: api.Problem | api.ValidationErrors | undefined; response?: Response | undefined };
const note = ({ error, response }: Failure) => {
  if (error === undefined || response === undefined) throw new Error(`${response?.url} should have failed`);
  const what = "code" in error ? error.code : error.detail.map(({ loc }) => loc.join(" ")).join();
  errors.push([response.status, what]);
};
note(await api.listFeeds(as()));
note(await api.listFeeds(as(keys.planWithoutApi)));
note(await api.readUsage(as(keys.spentMinute)));
note(await api.readRecords({ ...as(keys.spentQuota), path: NEW }));
note(await api.readRecords({ ...customer, path: { code: "us_no_such_feed" } }));
note(await api.readRecords({ ...customer, path: { code: "us_revocation_pending" } }));
note(await api.readRecords({ ...customer, path: { code: "us_insurance_lapse_alerts" } }));
note(await api.readRecords({ ...customer, path: NEW, query: { entity_type: "broker" } }));
note(await api.readRecords({ ...customer, path: NEW, query: { page: 0 } }));
note(await api.lookUpCarrier({ ...customer, path: { dot: "99999999" } }));

const webhook = got(
  await api.createWebhook({
    ...customer,
    body: { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] },
  }),
);
const byId = { ...customer, path: { endpoint_id: webhook.id } };
const test = got(await api.testWebhook(byId));
const rotated = got(await api.rotateWebhookSecret(byId));
await api.pauseWebhook(byId);
const webhooks = got(await api.listWebhooks(customer));

/** Never called: the types must refuse each statement. */
export async function refused(): Promise<void> {
  // @ts-expect-error: no such operation
  await api.readFeed(customer);
  // @ts-expect-error: the feed code is required
  await api.readRecords({ ...customer, path: {} });
  // @ts-expect-error: no such filter
  await api.readRecords({ ...customer, path: NEW, query: { colour: "red" } });
  // @ts-expect-error: a number, not a text
  await api.readRecords({ ...customer, path: NEW, query: { trucks_min: "2" } });
  // @ts-expect-error: not one of the words
  await api.readRecords({ ...customer, path: NEW, query: { phone_type: "fax" } });
  // @ts-expect-error: event types are required
  await api.createWebhook({ ...customer, body: { url: "https://hooks.example.com" } });
  // @ts-expect-error: no such event type
  await api.createWebhook({ ...customer, body: { url: "https://hooks.example.com", event_types: ["sold"] } });
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
  entityTypes: (brokers as PageOf<api.BrokerRecord>).data.map((record) => record.entity_type),
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
