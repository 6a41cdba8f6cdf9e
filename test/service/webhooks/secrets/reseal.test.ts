import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOnce } from "../../../../src/accounts/idempotency/answer-once.ts";
import { type Context, entryContextOf } from "../../../../src/platform/context.ts";
import { secretsUnder } from "../../../../src/platform/secrets.ts";
import { rotateSecret } from "../../../../src/webhooks/endpoints/rotate.ts";
import { prepareSecrets } from "../../../../src/webhooks/secrets/prepare-secrets.ts";
import { resealSecrets } from "../../../../src/webhooks/secrets/reseal.ts";
import {
  newEndpointSecret,
  openEndpointSecret,
  sealEndpointSecret,
} from "../../../../src/webhooks/secrets/secret.ts";
import { openAccount } from "../../../support/accounts.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase, untilLockWait } from "../../../support/database.ts";
import { changeRows, putRows, removeRows } from "../../../support/rows.ts";

/** More than one batch. */
const ENDPOINTS = 1_100;

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

let database: TestDatabase;
let plain: Context;
let accountId: number;
/** The secrets that deliveries must be signed with now, by endpoint. */
let secrets: Map<number, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  plain = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
  ({ accountId } = await openAccount(plain));
});
afterAll(async () => {
  await plain.db.close();
  await database.drop();
});

/** A process whose SECRETS_KEY names these keys. */
const under = (...keys: Buffer[]): Context => ({ ...plain, secrets: secretsUnder(keys) });

/** The state after a service that ran with the old key only. */
beforeEach(async () => {
  await removeRows(plain.db.pool, "webhook_endpoint");
  await removeRows(plain.db.pool, "idempotent_answer");
  await changeRows(plain.db.pool, "installation", { secrets_check: null });
  await prepareSecrets(entryContextOf(under(OLD)));
  secrets = new Map(Array.from({ length: ENDPOINTS }, (_, index) => [index + 1, newEndpointSecret()]));
  const endpoints = [...secrets].map(([id, secret]) => ({
    id,
    account_id: accountId,
    secret_sealed: sealEndpointSecret(under(OLD), id, secret),
  }));
  await putRows(plain.db.pool, "webhook_endpoint", ...endpoints);
});

const sealedRows = async () =>
  (
    await plain.db.pool.query<{ id: number; sealed: Buffer; version: string }>(
      "SELECT id, secret_sealed AS sealed, xmin::text AS version FROM webhook_endpoint ORDER BY id",
    )
  ).rows;

/** The secrets that a process with these keys would sign with, by endpoint. */
const opened = async (...keys: Buffer[]): Promise<Map<number, string>> =>
  new Map((await sealedRows()).map(({ id, sealed }) => [id, openEndpointSecret(under(...keys), id, sealed)]));

/** Rotates with an overlap; gives the secret that was used before. */
async function rotateWithOverlap(context: Context, id: number): Promise<string> {
  const before = secrets.get(id) ?? "";
  const { secret } = await rotateSecret(context, accountId, id, { overlap_seconds: 3600 });
  secrets.set(id, secret);
  return before;
}

async function rotate(context: Context, id: number): Promise<void> {
  secrets.set(id, (await rotateSecret(context, accountId, id)).secret);
}

describe("a new first key", () => {
  it("encrypts every secret after a start, and then the old one can be left out", async () => {
    await expect(prepareSecrets(entryContextOf(under(NEW)))).rejects.toThrow("SECRETS_KEY is not the key");
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    expect(await opened(NEW)).toEqual(secrets);
    await prepareSecrets(entryContextOf(under(NEW)));
    await expect(prepareSecrets(entryContextOf(under(OLD)))).rejects.toThrow("SECRETS_KEY is not the key");
  });

  it("encrypts secrets before a rotation too, while its overlap runs", async () => {
    const before = await rotateWithOverlap(under(OLD), 7);
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    const { rows } = await plain.db.pool.query<{ sealed: Buffer }>(
      "SELECT previous_secret_sealed AS sealed FROM webhook_endpoint WHERE id = 7",
    );
    expect(rows.map(({ sealed }) => openEndpointSecret(under(NEW), 7, sealed))).toEqual([before]);
    expect(await opened(NEW)).toEqual(secrets);
  });

  it("encrypts the answers kept for idempotency keys too", async () => {
    const request = { accountId, key: "one", content: "a request" };
    const answer = { status: 201, json: JSON.stringify({ secret: newEndpointSecret() }) };
    await answerOnce(under(OLD), request, async () => answer);
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    const repeat = answerOnce(under(NEW), request, () => Promise.reject(new Error("done again")));
    expect(await repeat).toEqual({ ...answer, isRepeat: true });
  });

  it("costs a second start nothing: no row is written", async () => {
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    const versions = async () => (await sealedRows()).map(({ version }) => version);
    const before = await versions();
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    expect(await versions()).toEqual(before);
  });

  it("leaves a usable secret at every moment, while others rotate", async () => {
    const context = under(NEW, OLD);
    let isDone = false;
    const reading = (async () => {
      let reads = 0;
      for (; !isDone || reads === 0; reads++) await opened(NEW, OLD);
      return reads;
    })();
    const rotating = Array.from({ length: 200 }, (_, index) => rotate(context, 1 + index * 5));
    await Promise.all([resealSecrets(context), resealSecrets(context), ...rotating]).finally(() => {
      isDone = true;
    });
    expect(await reading).toBeGreaterThan(0);
    expect(await opened(NEW)).toEqual(secrets);
  });

  it("does not bring back the secret of an endpoint that is rotated between reading and encrypting", async () => {
    const context = under(NEW, OLD);
    let resealing: Promise<void> | undefined;
    await plain.db.bulkTransaction(async (client) => {
      await client.query("SELECT FROM webhook_endpoint WHERE id = 7 FOR UPDATE");
      resealing = resealSecrets(context);
      await untilLockWait(plain.db.pool);
      const secret = newEndpointSecret();
      secrets.set(7, secret);
      await changeRows(
        client,
        "webhook_endpoint",
        { secret_sealed: sealEndpointSecret(context, 7, secret) },
        { id: 7 },
      );
    });
    await resealing;
    expect(await opened(NEW)).toEqual(secrets);
  });

  it("is not used while a secret needs a missing key, and the message names the endpoint", async () => {
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    // A process that had the keys in their old order.
    await rotate(under(OLD, NEW), 17);
    await expect(prepareSecrets(entryContextOf(under(NEW)))).rejects.toThrow(
      /endpoint 17. Add the key that was used before/,
    );
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    expect(await opened(NEW)).toEqual(secrets);
  });

  it("is not used while a kept answer needs a missing key", async () => {
    await prepareSecrets(entryContextOf(under(NEW, OLD)));
    const request = { accountId, key: "two", content: "a request" };
    await answerOnce(under(OLD, NEW), request, async () => ({ status: 201, json: "{}" }));
    await expect(prepareSecrets(entryContextOf(under(NEW)))).rejects.toThrow(
      /an answer kept for an Idempotency-Key. Add the key/,
    );
  });
});
