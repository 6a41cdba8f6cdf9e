import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const tdf = (...words: string[]) => runTdf({ DATABASE_URL: database.url, OPERATOR: "lee" }, ...words);

it("has no address, phone number or note of anybody, done or failed", async () => {
  await tdf("contacts", "add", "(512) 555-1234", "--note", "Jane Doe of Filing Co");
  await tdf("contacts", "add", "jane.doe@gmail.com");
  await tdf("contacts", "add", "Jane <jane@agent.example> Doe");
  await tdf("contacts", "remove", "5125550000");
  await tdf("contacts", "add", "");
  await tdf("contacts", "add", "agent.example");
  const { out } = await tdf("log", "--json");
  const entries = (
    JSON.parse(out) as { words: string[]; outcome: string; failure: string | null }[]
  ).reverse();
  expect(entries.map(({ words, outcome }) => [...words, outcome])).toEqual([
    ["…", "--note", "…", "done"],
    ["…", "done"],
    ["…", "failed"],
    ["…", "failed"],
    ["", "failed"],
    ["agent.example", "done"],
  ]);
  expect(entries[2]?.failure).toMatch(/^"…" is none of these/);
  expect(entries[3]?.failure).toMatch(/^… is not on the list/);
  expect(entries[4]?.failure).toMatch(/^"" is none of these: a US phone number/);
});

it("contacts: of a public mail service one address can be named, and never the whole service", async () => {
  expect((await tdf("contacts", "add", "Jo.Roe@Gmail.com")).out).toBe(
    "The next import blanks jo.roe@gmail.com.\n",
  );
  expect(await tdf("contacts", "add", "gmail.com")).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^Everybody can have an address at gmail\.com; name the address itself/),
  });
  expect((await tdf("contacts", "remove", "jo.roe@gmail.com")).status).toBe(0);
});
