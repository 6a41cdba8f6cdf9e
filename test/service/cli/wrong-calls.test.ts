import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";

let database: TestDatabase;
const tdf = (...words: string[]): Promise<Printed> => runTdf({ DATABASE_URL: database.url }, ...words);
const refused = (err: string) => ({ out: "", err, status: 2 });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("an option without its value", () => {
  // The option behind it was the value: a preview was an import, and a customer read "--json" as a reason.
  it.each([
    [["import", "--dir", "/nowhere", "--accept", "--preview"], "--accept", "--preview"],
    [["import", "--accept", "--as-of=2026-11-01", "--dir", "/nowhere"], "--accept", "--as-of=2026-11-01"],
    [["account", "suspend", "1", "--reason", "--json"], "--reason", "--json"],
  ])("is refused: %s", async (words, option, next) => {
    expect(await tdf(...words)).toEqual(
      refused(`${option} needs a value, but "${next}", which is an option itself, comes next.\n`),
    );
  });

  it("is none when the value only begins as an option does", async () => {
    const err = 'There is no account 1; "account list" shows all accounts.\n';
    expect(await tdf("account", "suspend", "1", "--reason", "--jsonlike dashes")).toEqual(refused(err));
  });
});
