// Two readers that share no code with the writer find the records of the NDJSON, with types.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Column, FEEDS, type FeedCode } from "../../../../../src/feeds/catalogue.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { parquetRecords } from "../../../../support/feeds/parquet-records.ts";
import type { TestService } from "../../../../support/service.ts";

let service: TestService;
let key: string;
let folder: string;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  ({ key } = await service.createAccount(AMPLE));
  folder = await mkdtemp(path.join(tmpdir(), "tdf-parquet-"));
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(async () => {
  duckdb.closeSync();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (feed: string, name: string) => service.get(`/v1/feeds/${feed}/export.${name}`, key);

const TYPES: Record<Column["kind"], string> = {
  text: "VARCHAR",
  integer: "BIGINT",
  date: "DATE",
  boolean: "BOOLEAN",
  list: "VARCHAR[]",
};

/** A query's rows as JSON has them. */
const query = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await duckdb.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];

describe.each(FEEDS.map((feed) => [feed.code, feed] as const))("%s", (code, feed) => {
  it("has the feed's columns with their types and the records of the NDJSON, by two readers", async () => {
    const answer = await ask(
      code,
      "parquet?granted_since=1970-01-01&state=TX,CA,OK".replace(...optional(code)),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(answer.headers.get("content-disposition")).toContain(`${code}_${AS_OF}.parquet`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const file = path.join(folder, `${code}.parquet`);
    await writeFile(file, bytes);
    const lines = await (
      await ask(code, "ndjson?granted_since=1970-01-01&state=TX,CA,OK".replace(...optional(code)))
    ).text();
    const records = lines
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.length).toBeGreaterThan(50);

    const described = await query(`DESCRIBE SELECT * FROM '${file}'`);
    expect(described.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
      feed.columns.map(({ name, kind }) => [name, TYPES[kind]]),
    );
    const integers = new Set(feed.columns.filter(({ kind }) => kind === "integer").map(({ name }) => name));
    const plain = (record: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => {
          if (value instanceof Date) return [name, value.toISOString().slice(0, 10)];
          return [name, integers.has(name) && value !== null ? Number(value) : (value ?? null)];
        }),
      );
    expect((await query(`SELECT * FROM '${file}'`)).map(plain)).toEqual(records);
    expect((await parquetRecords(bytes)).map(plain)).toEqual(records);
  });
});

/** Not every feed has the filter of the grant. */
const optional = (code: FeedCode): [string, string] =>
  code === "us_insurance_lapse_alerts" ? ["granted_since=1970-01-01&", ""] : ["", ""];

it("without rows has the columns", async () => {
  const answer = await ask("us_brokers", "parquet?state=WY");
  const file = path.join(folder, "empty.parquet");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  expect(await query(`SELECT count(*)::int AS rows FROM '${file}'`)).toEqual([{ rows: 0 }]);
  expect(await query(`SELECT count(*)::int AS columns FROM (DESCRIBE SELECT * FROM '${file}')`)).toEqual([
    { columns: FEEDS.find(({ code }) => code === "us_brokers")?.columns.length },
  ]);
});

it("names feed, version and day in its footer", async () => {
  const answer = await ask("us_brokers", "parquet");
  const file = path.join(folder, "facts.parquet");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const facts = await query(
    `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${file}')`,
  );
  expect(Object.fromEntries(facts.map(({ key, value }) => [key, value]))).toMatchObject({
    feed: "us_brokers",
    version: answer.headers.get("x-checkpoint-version"),
    as_of: AS_OF,
  });
});
