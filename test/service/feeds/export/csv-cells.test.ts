import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { csvRow } from "../../../../src/feeds/publish/build.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

// Characters that may have to be quoted, cleaned or escaped in a cell, among letters.
const signs = [..."ab Z9~-=+@＝＋－＠|%−\"',;\t\r\n\v\f\x01\x1f\x7f\x85\u00a0\u2003\u2028\u2029\u3000é漢"];
const COLUMNS = ["one", "two", "three"];

it("a CSV row has its texts as csv_text writes them, whether they are tested together or one by one", async () => {
  const odd = fc.option(fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 }), { freq: 10 });
  const plain = fc.constantFrom("CARRIER INC", "a", "", null);
  const texts = fc.sample(fc.tuple(fc.oneof(plain, odd), fc.oneof(plain, odd), fc.oneof(plain, odd)), 4_000);
  const alone = [...signs, ...signs.map((sign) => `a${sign}`)].flatMap((text) =>
    COLUMNS.map((_, at) => COLUMNS.map((_name, other) => (other === at ? text : "a"))),
  );
  const rows = [...texts, ...alone];
  const columns = COLUMNS.map((name) => ({ name, kind: "text" as const }));
  const found = await context.db.pool.query(
    `SELECT ${COLUMNS.map((name) => `coalesce(record.${name}, '')`).join(" || ',' || ")} AS value,
       ${csvRow(columns)} AS row, ${COLUMNS.map((name) => `csv_text(record.${name})`).join(" || ',' || ")} AS expected
     FROM unnest($1::text[], $2::text[], $3::text[]) AS record (${COLUMNS.join(", ")})`,
    COLUMNS.map((_, at) => rows.map((row) => row[at])),
  );
  expect(found.rows).toHaveLength(rows.length);
  expect(found.rows.filter(({ row, expected }) => row !== expected)).toEqual([]);
  const isChanged = found.rows.map(({ value, row }) => value !== row);
  expect(isChanged.filter((each) => each).length).toBeGreaterThan(1_000);
  expect(isChanged.filter((each) => !each).length).toBeGreaterThan(1_000);
});
