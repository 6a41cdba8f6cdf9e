// Signing secrets are only in the two answers that show them: in no table, in no other answer, in no line of the log.
// An encrypted secret that was altered or moved is useless.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { openEndpointSecret } from "../../../../src/webhooks/secrets/secret.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { ASKED_ENDPOINT } from "../../../support/webhooks/endpoints.ts";

const ENDPOINTS = 20;
const ROTATIONS = 9;

const log = memoryLog();
let service: TestService;
let key: string;
/** Every secret that a customer was shown. */
const shown: string[] = [];
let ids: number[] = [];

beforeAll(async () => {
  service = await startTestService({ log: log.log });
  const account = { requestsPerMinute: 100_000, feeds: { us_new_authority_weekly: null } };
  ({ key } = await service.createAccount(account));
  const secretOf = async (answer: Promise<Response>) => {
    const body = (await (await answer).json()) as { id: number; secret: string };
    shown.push(body.secret);
    return body.id;
  };
  // The answers are kept, too.
  const send = (path: string, body?: object) =>
    service.send("POST", `/v1/webhooks${path}`, {
      key,
      body,
      headers: { "Idempotency-Key": randomUUID() },
    });
  ids = await Promise.all(Array.from({ length: ENDPOINTS }, () => secretOf(send("", ASKED_ENDPOINT))));
  for (let round = 0; round < ROTATIONS; round++) {
    await Promise.all(ids.map((id) => secretOf(send(`/${id}/rotate`))));
  }
  for (const id of ids) await send(`/${id}/test`);
});
afterAll(() => service.stop());

/** The forms in which a text may be stored; base64 depends on the offset within the text. */
const formsOf = (secret: string): string[] => {
  // The part of a secret that must not be shown.
  const text = secret.slice(10);
  const base64 = [0, 1, 2].map((offset) => Buffer.from(text.slice(offset)).toString("base64").slice(0, 36));
  return [text, Buffer.from(text).toString("hex"), ...base64];
};

/** The secrets that a text contains: as they are, in base64 or in hex, or any of these in a bytea. */
function foundIn(text: string): string[] {
  const lower = text.toLowerCase();
  return shown.filter((secret) =>
    formsOf(secret).some(
      (form) => text.includes(form) || lower.includes(Buffer.from(form).toString("hex").toLowerCase()),
    ),
  );
}

/** Every row of every table, as text; a bytea is hex there. */
async function dump({ db }: Context): Promise<string> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.pool.query<{ line: string }>(`SELECT row::text AS line FROM ${name} AS row`);
    parts.push(...rows.map(({ line }) => line));
  }
  return parts.join("\n");
}

describe("signing secrets", () => {
  it("are in no table of the database", async () => {
    expect(shown).toHaveLength(ENDPOINTS * (ROTATIONS + 1));
    const text = await dump(service.context);
    expect(text).toContain(shown.at(-1)?.slice(0, 10));
    expect(foundIn(text)).toEqual([]);
  });

  it.each<[form: string, written: (secret: string) => unknown]>([
    ["as they are", (secret) => secret],
    ["in base64", (secret) => Buffer.from(secret).toString("base64")],
    ["in base64 amid a text", (secret) => Buffer.from(`{"s":"${secret}"}`).toString("base64url")],
    ["in hex", (secret) => Buffer.from(secret).toString("hex")],
  ])("would be found there %s, in a text and in a bytea", async (_form, written) => {
    const [secret = ""] = shown;
    const found = async (column: string, value: unknown) => {
      const client = await service.context.db.pool.connect();
      try {
        await client.query("BEGIN");
        await changeRows(client, "webhook_endpoint", { [column]: value }, { id: ids[0] });
        return foundIn(await dump({ db: { pool: client } } as unknown as Context));
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    };
    expect(await found("description", written(secret))).toEqual([secret]);
    expect(await found("secret_sealed", Buffer.from(String(written(secret))))).toEqual([secret]);
  });

  it("are in no other answer, and in no line of the log", async () => {
    const [id = 0] = ids;
    const [secret = ""] = shown;
    const answers = await Promise.all([
      service.get("/v1/webhooks", key),
      service.get(`/v1/webhooks/${secret}`, key),
      service.send("POST", `/v1/webhooks/${id}/test`, { key, body: { secret } }),
      service.send("POST", "/v1/webhooks", { key, body: { ...ASKED_ENDPOINT, secret } }),
      service.send("POST", "/v1/webhooks", { key, body: { ...ASKED_ENDPOINT, event_types: [secret] } }),
      service.send("POST", "/v1/webhooks", { key, headers: { "Content-Type": "application/json" } }),
      service.get("/v1/webhooks", secret),
    ]);
    for (const answer of answers) expect(foundIn(await answer.text())).toEqual([]);
    expect(log.lines().length).toBeGreaterThan(shown.length);
    expect(foundIn(log.text())).toEqual([]);
  });
});

describe("a sealed secret", () => {
  const sealedOf = async (): Promise<Map<number, Uint8Array>> => {
    const rows = await service.context.db.prisma.webhookEndpoint.findMany({ orderBy: { id: "asc" } });
    return new Map(rows.map(({ id, secretSealed }) => [id, secretSealed]));
  };
  const open = (id: number, sealed: Uint8Array) => openEndpointSecret(service.context, id, sealed);

  it("decrypts for its endpoint, and for no other", async () => {
    const sealed = await sealedOf();
    for (const [id, own] of sealed) {
      expect(shown).toContain(open(id, own));
      for (const [otherId, other] of sealed) {
        if (otherId !== id) expect(() => open(id, other)).toThrow();
      }
    }
  });

  it("does not decrypt with any one bit changed, nor cut off", async () => {
    const [[id, sealed] = [0, new Uint8Array()]] = await sealedOf();
    expect(sealed.length).toBeGreaterThan(60);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Uint8Array.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => open(id, flipped)).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => open(id, sealed.slice(0, length))).toThrow();
    }
  });

  it("differs each time, even for the same secret", () => {
    const { secrets } = service.context;
    const sealed = Array.from({ length: 100 }, () => secrets.seal("the same", "a").toString("hex"));
    expect(new Set(sealed).size).toBe(100);
  });
});
