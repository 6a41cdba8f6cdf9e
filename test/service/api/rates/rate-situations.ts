// What the cases of rate-headers.test.ts need before their request, and beside it.
import { answerOnce } from "../../../../src/accounts/idempotency/answer-once.ts";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { cursorOwner } from "../../../../src/feeds/sync/changes.ts";
import { changesCursor } from "../../../../src/feeds/sync/changes-cursor.ts";
import { createList } from "../../../../src/watchlists/watchlists.ts";
import { putRows } from "../../../support/rows.ts";
import type { TestService } from "../../../support/service.ts";
import { FRESH, FRESH_DOT, RATE_KEY, type RateCase } from "./rate-cases.ts";

/** A cursor of changes that leads to a version that does not exist. */
export async function goneCursor(
  { context }: TestService,
  accountId: number,
  previous: number,
): Promise<string> {
  const owner = await cursorOwner(context, accountId, FRESH, { filters: new Map() });
  const position = { part: "rows", row: 0 } as const;
  const ends = { since: previous, to: 2_147_483_647 };
  return changesCursor(owner, { ...ends, end: null, position, removals: null, rows: 0, listState: "0.0" });
}

export async function endedKey(service: TestService, accountId: number): Promise<string> {
  const { id } = await service.createKey(accountId);
  await revokeKey(service.context, id);
  return id;
}

/** The account's watchlists; returns the first one, or 0. */
export async function putWatchlists(
  { context }: TestService,
  accountId: number,
  { path, watchlists, isUnpaid }: RateCase,
): Promise<number> {
  const { pool } = context.db;
  const count = watchlists ?? (isUnpaid || path.includes("{watchlist}") ? 1 : 0);
  const lists: number[] = [];
  while (lists.length < count) {
    lists.push((await createList(context, accountId, { name: "Clients" })).id);
  }
  const [first = 0] = lists;
  if (isUnpaid) {
    const added_at = new Date();
    await putRows(pool, "watchlist_carrier", { watchlist_id: first, usdot: FRESH_DOT, added_at });
    await putRows(pool, "watched_month", { account_id: accountId, month: "2026-10-01" });
  }
  return first;
}

/** Sends while the table is locked, and ends the statements that wait for it. */
export async function sendWithout(
  { context }: TestService,
  table: string,
  send: () => Promise<Response>,
): Promise<Response> {
  return context.db.bulkTransaction(async (client) => {
    await client.query(`LOCK TABLE ${table}`);
    let isAnswered = false;
    const answer = send().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await client.query(
        `SELECT pg_cancel_backend(pid) FROM pg_locks
         WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    }
    return answer;
  });
}

/** Sends when another request with the idempotency key is answered, or in progress. */
export async function sendBeside(
  { context }: TestService,
  state: "answered" | "in progress",
  accountId: number,
  send: () => Promise<Response>,
): Promise<Response> {
  const beside: Promise<Response>[] = [];
  await answerOnce(context, { accountId, key: RATE_KEY, content: "another request" }, async () => {
    if (state === "in progress") await beside[beside.push(send()) - 1];
    return { status: 200, json: "{}" };
  });
  return beside[0] ?? send();
}
