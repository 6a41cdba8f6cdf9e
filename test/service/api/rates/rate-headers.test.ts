// Every answer that an operation can give once the key is known has the rate and the quota headers. The cases come from
// the contract, so a new code without a case here fails.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suspendAccount } from "../../../../src/accounts/account-life.ts";
import { takeExportSlot } from "../../../../src/accounts/exports/export-runs.ts";
import { ALL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { updateSharedValues } from "../../../../src/carriers/connections/shared-values.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import { handlers } from "../../../../src/generated/handlers.ts";
import type { Handlers } from "../../../../src/generated/operations.ts";
import { problems } from "../../../../src/generated/problems.ts";
import type { components } from "../../../../src/generated/types.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { pauseByCustomer, pauseByOperator } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { DECLARED_OPERATIONS } from "../../../contract/prism/contract-document.ts";
import { settableClock } from "../../../support/clock.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  FRESH,
  FRESH_DOCKET,
  FRESH_DOT,
  NOT_IN_PLAN,
  NOT_LIVE,
  STALE,
  STALE_DOCKET,
  STALE_DOT,
} from "./rate-cases.ts";
import { DATA_CASES } from "./rate-cases-data.ts";
import { KEY_CASES } from "./rate-cases-keys.ts";
import { TEST_MODE_CASES } from "./rate-cases-testmode.ts";
import { WATCHLIST_CASES } from "./rate-cases-watchlists.ts";
import { WEBHOOK_CASES } from "./rate-cases-webhooks.ts";
import { endedKey, goneCursor, putWatchlists, sendBeside, sendWithout } from "./rate-situations.ts";

/** The time of the service's clock: 45 s before the minute ends, and 820,785 s before the month does. */
const NOW = "2026-11-21T12:00:15Z";
const MINUTE_ENDS = "2026-11-21T12:01:00Z";
/** Events are of files of this day, unless a case says otherwise. */
const DETECTED_OF = "2026-11-20";

const CASES = [...DATA_CASES, ...WEBHOOK_CASES, ...WATCHLIST_CASES, ...KEY_CASES, ...TEST_MODE_CASES];

let service: TestService;
let versions: { version: number; previous: number };
let eventId: number;
let faultyOperation: string | null = null;
let hasLiveKey = false;

const faulty = Object.fromEntries(
  Object.entries(handlers).map(([id, handler]) => [
    id,
    (input: never, context: Context) => {
      if (id === faultyOperation) throw new Error("This should not happen.");
      // Test mode has a database of its own; here the same one stands for both.
      const isInTestMode = id === "createTestEvent" && !hasLiveKey;
      return handler(input, (isInTestMode ? { ...context, live: context } : context) as never);
    },
  ]),
) as unknown as Handlers;

beforeAll(async () => {
  service = await startTestService({ clock: settableClock(NOW), handlers: faulty });
  const previous = await publish(FRESH, "2026-11-19");
  versions = { previous, version: await publish(FRESH, "2026-11-20", FRESH_DOT) };
  await publish(STALE, "2026-11-10", STALE_DOT);
  await publish(NOT_IN_PLAN, "2026-11-20", FRESH_DOT);
  await putRows(
    service.context.db.pool,
    "authority",
    { docket: FRESH_DOCKET, usdot: Number(FRESH_DOT) },
    { docket: STALE_DOCKET, usdot: Number(STALE_DOT) },
  );
  // An entry of the timeline: an empty page costs nothing, also when the quota is used up.
  await putRows(service.context.db.pool, "oos_order", { usdot: Number(FRESH_DOT), ordered_on: "2026-11-01" });
  // Two companies with the same phone and address.
  for (const usdot of [Number(FRESH_DOT), 1])
    await putRows(service.context.db.pool, "census", { usdot, phone: "5125550142", is_individual: false });
  await updateSharedValues(service.context);
  await detect(DETECTED_OF);
  [eventId = 0] = await putEvents(service.context.db, [{ detectedAt: NOW }]);
});
afterAll(() => service.stop());

const publish = (feed: FeedCode, asOf: string, ...dots: string[]): Promise<number> =>
  publishFeed(service.context.db, feed, {
    records: dots.map((dot) => feedRecord(feed, { dot_number: dot })),
    asOf,
    now: service.clock.now(),
  });

const detect = (asOf: string) => setDetection(service.context.db, { finishedAt: NOW, asOf });

const LIMIT = 7;

const rateOf = ({ headers }: Response) => ({
  limit: headers.get("x-ratelimit-limit"),
  remaining: headers.get("x-ratelimit-remaining"),
  reset: headers.get("x-ratelimit-reset"),
});

/** The rate headers after so many requests of the minute. */
const rateAfter = (requests: number, limit: number) => ({
  limit: String(limit),
  remaining: String(Math.max(0, limit - requests)),
  reset: String(Date.parse(MINUTE_ENDS) / 1000),
});

/** The quota headers of an answer to a new account, and what the usage of the account is then. */
const quotaOf = ({ headers }: Response) => ({
  limit: headers.get("x-quota-limit"),
  remaining: headers.get("x-quota-remaining"),
  reset: headers.get("x-quota-reset"),
  cost: headers.get("x-quota-cost"),
});

type UsageOut = components["schemas"]["UsageOut"];
const quotaIn = ({ usage, limits }: UsageOut) => ({
  limit: String(limits.api_rows_month),
  remaining: String(limits.api_rows_left),
  reset: String(Date.parse("2026-12-01T00:00:00Z") / 1000),
  cost: String(usage.quota_rows),
});

describe("the rate headers are in every answer to a known key", () => {
  it.each(CASES.map((one) => [one.operation, one.answer, one] as const))("%s: %s", async (_id, _to, one) => {
    const plan = { feeds: { [FRESH]: null, [STALE]: null, [NOT_LIVE]: null }, requestsPerMinute: LIMIT };
    const { accountId, keyId: firstId } = await service.createAccount({ ...plan, ...one.plan });
    for (let made = 1; made < (one.keys ?? 1); made++) await service.createKey(accountId);
    const { id: keyId, key } = await service.createKey(accountId, { scopes: ALL_SCOPES, ...one.grant });
    if (one.isBesideExport) {
      await takeExportSlot(service.context, { accountId, keyId, concurrentExports: 1 }, "running");
    }
    const limit = one.plan?.requestsPerMinute ?? LIMIT;
    let endpoint = 0;
    const needsEndpoint = /\{(endpoint|delivery)\}/.test(one.path);
    const activeEndpoints = one.activeEndpoints ?? (needsEndpoint ? 1 : 0);
    if (one.activeEndpoints === 0 || activeEndpoints > 20) {
      endpoint = (await registerEndpoint(service.context, accountId)).id;
      await pauseByCustomer(service.context, accountId, endpoint);
    }
    for (let count = 0; count < Math.min(20, activeEndpoints); count++) {
      const { id } = await registerEndpoint(service.context, accountId);
      endpoint ||= id;
    }
    if (one.isPausedByOperator) await pauseByOperator(service.context, endpoint);
    const delivery = one.path.includes("{delivery}")
      ? await putDelivery(service.context, { endpointId: endpoint, eventId, status: "failed" })
      : 0;
    if (one.eventType !== undefined) {
      const { pool } = service.context.db;
      await changeRows(pool, "webhook_delivery", { event_type: one.eventType }, { id: delivery });
    }
    const watchlist = await putWatchlists(service, accountId, one);
    const cursor = one.path.includes("{cursor}")
      ? await goneCursor(service, accountId, versions.previous)
      : "";
    const ids: Record<string, number | string> = {
      own_key: firstId,
      ended_key: one.path.includes("{ended_key}") ? await endedKey(service, accountId) : "",
      endpoint,
      watchlist,
      delivery,
      event: eventId,
      cursor,
      ...versions,
    };
    const path = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const { body, headers } = one;
    const send = () => service.send(one.method ?? "GET", path, { key, body, headers });
    if (one.isSecond) await service.get("/v1/usage", key);
    const before = one.isSecond ? 1 : 0;
    if (one.detectedOf !== undefined) await detect(one.detectedOf);
    faultyOperation = one.hasFault ? one.operation : null;
    hasLiveKey = one.hasLiveKey === true;
    const isSuspended = one.answer === "account_suspended";
    if (isSuspended) await suspendAccount(service.context, accountId, "The invoice is open.");
    const { lostTable, otherRequest } = one;
    const answer = lostTable
      ? await sendWithout(service, lostTable, send)
      : await (otherRequest ? sendBeside(service, otherRequest, accountId, send) : send());
    faultyOperation = null;
    if (one.detectedOf !== undefined) await detect(DETECTED_OF);
    const isProblem = answer.headers.get("content-type") === "application/problem+json";
    const text = await answer.text();
    expect(isProblem ? JSON.parse(text).code : String(answer.status), text.slice(0, 300)).toBe(one.answer);
    expect(rateOf(answer)).toEqual(rateAfter(before + 1, limit));
    expect(answer.headers.get("retry-after")).toBe(
      one.waitSeconds === undefined ? null : `${one.waitSeconds}`,
    );
    // Whatever its answer, it was one request of the minute, and the account's only one that could cost rows.
    const next = await service.get("/v1/usage", key);
    expect(rateOf(next)).toEqual(rateAfter(before + 2, limit));
    const isRead = one.plan?.apiAccess !== false && !isSuspended && next.ok && before + 2 <= limit;
    if (isRead) expect(quotaOf(answer)).toEqual(quotaIn((await next.json()) as UsageOut));
    else expect(quotaOf(answer)).toMatchObject({ remaining: "1000", cost: "0" });
  });

  /** These operations read no table that the admission of their key does not read: without it no key is known. */
  const BEFORE_ADMISSION = ["listFeeds unavailable", "countRecords unavailable", "listKeys unavailable"];

  it("has a case for every answer that the contract declares", () => {
    const withKey = DECLARED_OPERATIONS.filter(({ isPlanned, isPublic }) => !isPlanned && !isPublic);
    const declared = withKey.flatMap(({ id, answers }) =>
      answers
        .filter(({ status }) => status !== 401)
        .flatMap(({ status, content }) =>
          (content.get("application/problem+json")?.examples ?? [String(status)]).map(
            (name) => `${id} ${name}`,
          ),
        )
        .filter((answer) => !BEFORE_ADMISSION.includes(answer)),
    );
    expect(CASES.map(({ operation, answer }) => `${operation} ${answer}`).sort()).toEqual(declared.sort());
    // An example is named by its code; another kind of name would hide a code from this list.
    const names = CASES.map(({ answer }) => answer).filter((name) => !/^\d{3}$/.test(name));
    expect(names.filter((name) => !Object.hasOwn(problems, name))).toEqual([]);
  });
});

it("an unknown key gets no rate headers and no quota headers", async () => {
  for (const operation of [
    "/v1/feeds",
    `/v1/feeds/${FRESH}/records`,
    `/v1/feeds/${FRESH}/versions`,
    `/v1/feeds/${FRESH}/changes?since_version=1`,
    `/v1/feeds/${FRESH}/count`,
    `/v1/carriers/${FRESH_DOT}`,
    "/v1/events",
    "/v1/usage",
    "/v1/webhooks",
  ]) {
    const answer = await service.get(operation, "tdf_live_nonsense");
    expect([answer.status, rateOf(answer)]).toEqual([401, { limit: null, remaining: null, reset: null }]);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("x-quota"))).toEqual([]);
  }
});
