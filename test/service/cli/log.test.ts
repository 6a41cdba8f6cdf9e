import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";
import { putRows } from "../../support/rows.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const tdf = (...words: string[]) => runTdf({ DATABASE_URL: database.url, OPERATOR: "lee" }, ...words);

/** The entries of the log, the oldest first. */
async function logged(): Promise<{ words: string[]; outcome: string; failure: string | null }[]> {
  return JSON.parse((await tdf("log", "--json")).out).reverse();
}

it("has no address, phone number or note of anybody, done or failed", async () => {
  await tdf("contacts", "add", "(512) 555-1234", "--note", "Jane Doe of Filing Co");
  await tdf("contacts", "add", "jane.doe@gmail.com");
  await tdf("contacts", "add", "Jane <jane@agent.example> Doe");
  await tdf("contacts", "remove", "5125550000");
  await tdf("contacts", "add", "");
  await tdf("contacts", "add", "agent.example");
  const entries = await logged();
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

it("has no phone number of any country, and keeps days, numbers, networks and names of feeds", async () => {
  const phones = ["+44 20 7946 0958", "tel:+1-555-201-3377 ext 5", "0015552013344", "call 5552013344x12"];
  for (const phone of phones) await tdf("contacts", "add", phone);
  for (const kept of ["43000001", "MC-1234567"]) await tdf("contacts", "add", kept);
  await tdf("feed", "rollback", "us_brokers");
  await tdf("webhook", "replay", "7654321", "--from", "2026-11-18", "--to", "2026-11-20T06:00:00Z", "--yes");
  const networks = ["192.168.100.200", "192.168.100.0/24", "192.168.100.201"];
  await tdf("key", "create", "--account", "999", "--expires", "2099-11-20", "--network", ...networks);
  const entries = (await logged()).slice(-9);
  expect(entries.map(({ words }) => words)).toEqual([
    ["…"],
    ["tel:…"],
    ["…"],
    ["call …"],
    ["43000001"],
    ["MC-1234567"],
    ["us_brokers"],
    ["7654321", "--from", "2026-11-18", "--to", "2026-11-20T06:00:00Z", "--yes"],
    ["--account", "999", "--expires", "2099-11-20", "--network", networks.join(" ")],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/7946|3377|13344/);
  expect(entries[1]?.failure).toMatch(/^"tel:…" is none of these/);
});

it("has the number of a removal request, which is as long as a phone number", async () => {
  const request = "12345678901234";
  await tdf("removal", "undo", request, "5552013377", "--reason", "a mistake");
  await tdf("contacts", "add", request);
  const [undone, added] = (await logged()).slice(-2);
  expect([undone?.words, added?.words]).toEqual([[request, "…", "--reason", "…"], ["…"]]);
  expect(undone?.failure).toMatch(/^There is no removal request 12345678901234;/);
});

it("has of a whole key only its prefix and its identifier", async () => {
  const secret = "x".repeat(36);
  await tdf("key", "revoke", `tdf_live_abcdefgh_${secret}`);
  await tdf("key", "rotate", `tdf_test_abcdefgh_${secret}`);
  await tdf("key", "revoke", "tdf_live_abcdefgh");
  await tdf("contacts", "add", `tdf_live_abcdefgh_${secret}`);
  const entries = (await logged()).slice(-4);
  expect(JSON.stringify(entries)).not.toContain("xxx");
  expect(entries.map(({ words }) => words[0])).toEqual([
    "tdf_live_abcdefgh_…",
    "tdf_test_abcdefgh_…",
    "tdf_live_abcdefgh",
    "tdf_live_abcdefgh_…",
  ]);
  expect(entries[3]?.failure).toMatch(/^"tdf_live_abcdefgh_…" is none of these/);
});

it("has the operator's page's sign-ins and sign-outs, without the link, and an import that ends rollbacks", async () => {
  const { url } = JSON.parse((await tdf("admin", "sign-in", "--json")).out);
  await tdf("admin", "sign-out");
  await tdf("import", "--dir", "/nowhere/at/all", "--release");
  await tdf("import", "--dir", "/nowhere/at/all", "--release", "--preview");
  await tdf("import", "--dir", "/nowhere/at/all");
  const entries = (await logged()).slice(-3);
  expect(entries).toMatchObject([
    { command: "admin sign-in", words: [], outcome: "done" },
    { command: "admin sign-out", words: [], outcome: "done" },
    { command: "import", words: ["--dir", "/nowhere/at/all", "--release"], outcome: "failed" },
  ]);
  expect(JSON.stringify(await logged())).not.toContain(url.split("/").at(-1));
});

it("contacts: added again without a note, an entry keeps its note, and one of the program stays the program's", async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  await putRows(
    client,
    "agent_contact",
    { kind: "email_domain", value: "filed.example", note: "named", shipped: false, from_filings: true },
    { kind: "email_domain", value: "shipped.example", note: "known", shipped: true, from_filings: false },
  );
  await client.end();
  await tdf("contacts", "add", "own.example", "--note", "of Filing Co");
  for (const each of ["filed", "shipped", "own"]) await tdf("contacts", "add", `${each}.example`);
  const { out } = await tdf("contacts", "list");
  expect(out).toMatch(/filed\.example +named +an operator$/m);
  expect(out).toMatch(/shipped\.example +known +the program$/m);
  expect(out).toMatch(/own\.example +of Filing Co +an operator$/m);
  await tdf("contacts", "add", "own.example", "--note", "of Dispatch Co");
  expect((await tdf("contacts", "list")).out).toMatch(/own\.example +of Dispatch Co/);
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
