// A customer's program. It is compiled in a project of its own against the packed SDK; each @ts-expect-error is a mistake that
// the SDK's types have to catch. Then it runs against the service.
import {
  type BrokerRecord,
  createClient,
  type FeedCode,
  type FeedRecord,
  TruckingDataFeedError,
} from "@trucking-data-feed/sdk";
import { signWebhook, verifyWebhook, WebhookVerificationError } from "@trucking-data-feed/sdk/webhooks";

const { apiKey, baseUrl } = JSON.parse(process.argv[2] ?? "") as { apiKey: string; baseUrl: string };
const tdf = createClient({ apiKey, baseUrl });

const brokers: BrokerRecord[] = [];
for await (const record of tdf.records("us_brokers", { state: ["TX"], entity_type: "broker" })) {
  brokers.push(record);
}
const kinds: ("broker" | "freight_forwarder")[] = brokers.map(({ entity_type }) => entity_type);

const trucks: (number | null)[] = [];
for await (const page of tdf.records("us_new_authority_weekly", { trucks_max: 5 }).pages()) {
  trucks.push(...page.data.map(({ power_units }) => power_units));
}

const usedRows = async (): Promise<number> => (await tdf.usage()).usage.quota_rows;
let csvBytes = 0;
const { body, fileName } = await tdf.openExport("us_brokers");
for await (const chunk of body) csvBytes += chunk.byteLength;

const exported = await tdf.openExport("us_brokers", { state: ["CA"] }, { format: "ndjson" });
const exportedStates = new Set<string | null>();
for await (const { state } of exported.records()) exportedStates.add(state);

const { records } = await tdf.carrier(Number(brokers[0]?.dot_number));
const entityType = records.map((each) => (each.feed === "us_brokers" ? each.record.entity_type : each.feed));

const types = new Set<"reinstated" | "revocation_pending">();
const stop = new AbortController();
const events = tdf.events({ type: ["reinstated", "revocation_pending"], signal: stop.signal });
for await (const { type } of events) types.add(type);

const { data: counted, cost, quota, rate, requestId } = await tdf.count("us_brokers").withResponse();
const told: unknown[] = [counted.rows, cost, quota?.limit, typeof rate?.resetsAt.getTime(), typeof requestId];
for await (const { data: page } of tdf.records("us_brokers").pages().withResponse()) {
  told.push(page.data[0]?.entity_type);
  break;
}

const codes: FeedCode[] = (await tdf.feeds()).map(({ code }) => code);
const sizes: Partial<Record<FeedCode, number>> = {};
for (const code of codes) {
  if (code !== "us_brokers") continue;
  const first: FeedRecord[] = [];
  for await (const record of tdf.records(code)) first.push(record);
  sizes[code] = first.length;
}

let refused: string | undefined;
try {
  const secret = ["whsec_0123456789", "whsec_9876543210"];
  const headers = await signWebhook({ body: "{}", secret, now: new Date(0) });
  await verifyWebhook({ header: headers["service-signature"], body: "{}", secret });
} catch (error) {
  if (error instanceof WebhookVerificationError) refused = error.reason;
}
const failure = await createClient({ apiKey: "wrong", baseUrl, maxRetries: 0 })
  .usage()
  .catch((error: unknown) => (error instanceof TruckingDataFeedError ? error.code : null));

/** What an error is about. The service may have codes that this version does not know. */
export function advice(error: TruckingDataFeedError): string {
  if (error.code === "quota_exceeded") return "wait for the next month";
  return error.code === "a_newer_code" ? "read its page" : error.detail;
}

/** Never called: what the types have to refuse. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error: no such feed
  tdf.records("us_broker");
  // @ts-expect-error: not a filter of this feed
  tdf.records("us_brokers", { trucks_min: 1 });
  // @ts-expect-error: not one of the words
  tdf.records("us_brokers", { entity_type: "carrier" });
  // @ts-expect-error: a list
  tdf.records("us_brokers", { state: "TX" });
  // @ts-expect-error: not a column of this feed
  for await (const { power_units } of tdf.records("us_brokers")) String(power_units);
  // @ts-expect-error: no such format
  await tdf.openExport("us_brokers", {}, { format: "xlsx" });
  // @ts-expect-error: only NDJSON is read as records
  (await tdf.openExport("us_brokers")).records();
  // @ts-expect-error: not a column of this feed
  for await (const { power_units } of exported.records()) String(power_units);
  // @ts-expect-error: no such kind of change
  tdf.changes("us_brokers", 1, { op: "deleted" });
  // @ts-expect-error: no such member of an endpoint
  await tdf.webhooks.update(1, { paused: true });
  // @ts-expect-error: may be null
  brokers[0]?.email.length;
  // @ts-expect-error: no such event type
  tdf.events({ type: ["sold"] });
  for await (const { type } of tdf.events({ type: ["reinstated"] })) {
    // @ts-expect-error: only what was asked for comes
    if (type === "revocation_pending") return;
  }
  // @ts-expect-error: no such member
  (await tdf.usage()).month_end;
  // @ts-expect-error: event types are required
  await tdf.webhooks.create({ url: "https://hooks.example.com" });
  const [endpoint] = (await tdf.webhooks.list()).data;
  // @ts-expect-error: a list never has secrets
  endpoint?.secret;
  // @ts-expect-error: bodies have the names of the contract
  await tdf.webhooks.rotateSecret(1, { overlapSeconds: 60 });
  // @ts-expect-error: no such option
  await tdf.usage({ timeout: 1 });
  // @ts-expect-error: headers are texts
  await tdf.usage({ timeoutMs: 1, maxRetries: 0, headers: { "X-Trace": 1 } });
  // @ts-expect-error: the key is required
  createClient({ baseUrl });
  // @ts-expect-error: the secret is required
  await verifyWebhook({ header: "", body: "" });
  // @ts-expect-error: a promise, which has to be awaited
  verifyWebhook({ header: "", body: "", secret: "" }).type;
}

const report = {
  brokers: brokers.length,
  kinds: [...new Set(kinds)],
  trucks,
  hasCsv: csvBytes > 1000 && (await usedRows()) > 0,
  fileName,
  told,
  exportedStates: [...exportedStates],
  entityType,
  types: [...types],
  sizes,
  refused,
  failure,
};
process.stdout.write(JSON.stringify(report));
