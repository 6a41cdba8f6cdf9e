import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { csvCell } from "../../../../src/feeds/publish/build.ts";
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
const signs = [..."ab Z9-=+@＝＋－＠|%−\"',;\t\r\n\v\f\x01\x1f\x7f\x85\u00a0\u2003\u2028\u2029\u3000é漢"];

it("cells that the pattern accepts as plain are those that csv_text does not change", async () => {
  const texts = fc.sample(fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 }), 3_000);
  const { rows } = await context.db.pool.query(
    `SELECT record.value, ${csvCell({ name: "value", kind: "text" })} AS cell, csv_text(record.value) AS expected
     FROM unnest($1::text[]) AS record (value)`,
    [[...texts, ...signs, ...signs.map((sign) => `a${sign}`), "", null]],
  );
  expect(rows.filter(({ cell, expected }) => cell !== expected)).toEqual([]);
  expect(rows.filter(({ value, cell }) => value !== cell).length).toBeGreaterThan(1_000);
});
