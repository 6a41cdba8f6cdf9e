import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import type { Context } from "../../../src/platform/context.ts";
import { deleteEndpoint, pauseByCustomer } from "../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type GivenEvent, putEvents } from "../../support/events/events.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { putRows, type Row } from "../../support/rows.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";

const RANGE = ["--from", "2026-11-20", "--to", "2026-11-21T00:00:00Z"];

let database: TestDatabase;
let context: Context;
let accountId: number;
let endpointId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
  const feeds = { us_new_authority_weekly: null };
  ({ accountId } = await openAccount(context, { feeds }));
  const other = await openAccount(context, { feeds });
  const url = "https://hooks.example.com/in?token=hush";
  endpointId = String((await registerEndpoint(context, accountId, { url })).id);
  await registerEndpoint(context, other.accountId);
  await putEvents(context.db, Array<GivenEvent>(3).fill({}));
  await fanOut(context);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

/** The output of `tdf webhook` on each stream, and its exit status. */
const webhook = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: database.url }, "webhook", ...words);

async function json(...words: string[]) {
  const { out, status } = await webhook(...words, "--json");
  expect(status).toBe(0);
  return JSON.parse(out);
}

it("lists the endpoints of all accounts or of one, without the secret part of their addresses", async () => {
  const all = await json("list");
  expect(all).toHaveLength(2);
  expect(all[0]).toEqual({
    id: Number(endpointId),
    account_id: accountId,
    url: "https://hooks.example.com/in",
    description: null,
    event_types: ["new_authority_granted"],
    active: true,
    disabled_reason: null,
    failure_streak: 0,
    queued: 3,
    created_at: expect.any(String),
    filters: null,
    payload: "full",
    honor_retry_after: false,
    corrections: false,
    changes: false,
    previous_secret_valid_until: null,
  });
  const { out } = await webhook("list", "--account", String(accountId));
  expect(out).toMatch(
    /^id +account +state .*\n +\d+ +\d+ {2}active +0 +3 {2}https:\/\/hooks\.example\.com\/in {2}new_authority_granted +full\n$/,
  );
  expect(await webhook("list", "--account", "999")).toMatchObject({
    out: "",
    err: 'There is no account 999; "account list" shows all accounts.\n',
    status: 2,
  });
});

it("shows deliveries with their attempts", async () => {
  const newest = await json("deliveries", endpointId, "--limit", "2");
  expect(newest).toHaveLength(2);
  const [delivery, waiting] = newest;
  const attempt = (number: number, row: Row) => ({
    delivery_id: delivery.id,
    endpoint_id: endpointId,
    number,
    attempt: number,
    http_status: null,
    ...row,
  });
  await putRows(
    context.db.pool,
    "webhook_result",
    attempt(1, {
      started_at: "2026-11-20T11:20:06Z",
      duration_ms: 15_000,
      reason: "timed_out",
      outcome: "retried",
      ended_at: "2026-11-20T11:20:21Z",
    }),
    attempt(2, {
      started_at: "2026-11-20T11:21:07Z",
      duration_ms: 31,
      http_status: 503,
      reason: "answer_not_2xx",
      outcome: "failed",
      ended_at: "2026-11-20T11:21:08Z",
    }),
  );
  const failed = await json("deliveries", endpointId, "--status", "failed");
  expect(failed).toEqual([
    {
      ...delivery,
      status: "failed",
      due_at: null,
      finished_at: "2026-11-20T11:21:08.000Z",
      attempts: [
        {
          attempt: 1,
          started_at: "2026-11-20T11:20:06.000Z",
          duration_ms: 15_000,
          http_status: null,
          reason: "timed_out",
        },
        {
          attempt: 2,
          started_at: "2026-11-20T11:21:07.000Z",
          duration_ms: 31,
          http_status: 503,
          reason: "answer_not_2xx",
        },
      ],
    },
  ]);
  const { out } = await webhook("deliveries", endpointId);
  const [, first, second] = out.split("\n");
  expect(first).toMatch(
    /evt_\d+ +new_authority_granted +failed +1 +2026-11-20T11:20:06.000Z +15000 ms +timed_out$/,
  );
  expect(second).toMatch(/^ +2 +2026-11-20T11:21:07.000Z +31 ms +503 answer_not_2xx$/);
  expect(out).toContain(`queued, due ${waiting.due_at}`);
});

it("enables a paused endpoint and replays missed events, after showing how many", async () => {
  await pauseByCustomer(context, accountId, Number(endpointId));
  await putEvents(context.db, [{}, {}]);
  expect(await webhook("replay", endpointId, ...RANGE, "--yes")).toEqual({
    out: "",
    status: 2,
    err: `Endpoint ${endpointId} is paused. Enable it first: "webhook enable ${endpointId}".\n`,
  });
  expect(await json("enable", endpointId)).toEqual({ id: Number(endpointId), was_active: false });

  const what = `5 deliveries to endpoint ${endpointId} (2 never queued, 2 cancelled, 1 failed)`;
  const refused = await webhook("replay", endpointId, ...RANGE);
  expect(refused).toEqual({ out: "", err: `This would send ${what}. Add --yes to send them.\n`, status: 2 });
  const { out, err, status } = await webhook("replay", endpointId, ...RANGE, "--yes");
  expect({ out, status }).toEqual({ out: "5 deliveries queued.\n", status: 0 });
  expect(err).toMatch(`Queueing ${what}; started at 20`);
  const { rowCount } = await context.db.pool.query(
    "SELECT FROM webhook_delivery_state WHERE status = 'queued' AND endpoint_id = $1",
    [endpointId],
  );
  expect(rowCount).toBe(5);
  expect(await json("replay", endpointId, ...RANGE)).toEqual({
    endpoint_id: Number(endpointId),
    queued: 0,
    started_at: expect.any(String),
  });
});

it("enables no more endpoints than an account may have active", async () => {
  const { accountId: busy } = await openAccount(context, { feeds: { us_new_authority_weekly: null } });
  const { id } = await registerEndpoint(context, busy);
  await pauseByCustomer(context, busy, id);
  for (let active = 0; active < 20; active++) await registerEndpoint(context, busy);
  const { err, status } = await webhook("enable", String(id));
  expect({ err, status }).toEqual({
    err: `The account of endpoint ${id} already has 20 active endpoints, which is the limit. Pause one of them first.\n`,
    status: 2,
  });
});

it("finds no deleted endpoint to pause or enable", async () => {
  const { accountId: owner } = await openAccount(context, { feeds: { us_new_authority_weekly: null } });
  const { id } = await registerEndpoint(context, owner);
  await deleteEndpoint(context, owner, id);
  const notFound = { out: "", err: expect.stringContaining(`There is no webhook endpoint ${id}`), status: 2 };
  expect(await webhook("pause", String(id))).toEqual(notFound);
  expect(await webhook("enable", String(id))).toEqual(notFound);
});

it("refuses impossible requests with one sentence", async () => {
  const refused: [string[], RegExp][] = [
    [["enable", "x"], /^An endpoint is named by its number, not "x"; .*\n$/],
    [["deliveries", "999"], /^There is no webhook endpoint 999; .*\n$/],
    [["deliveries", "1", "--status", "lost"], /^--status is "lost": give one of queued, .*\n$/],
    [["replay", "1", "--from", "2026-02-30", "--to", "2026-11-21"], /^--from is "2026-02-30": .*\n$/],
  ];
  const answers = await Promise.all(refused.map(([words]) => webhook(...words)));
  for (const [index, [, sentence]] of refused.entries()) {
    expect(answers[index]).toEqual({ out: "", err: expect.stringMatching(sentence), status: 2 });
  }
});
