import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, dayOf } from "../../../src/platform/clock.ts";
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

describe("a name that --accept does not know", () => {
  // The import read every file, and was refused under the right name.
  it.each([
    "shrinkag",
    "shrinkage,growth",
    "shrinkage:census",
    "old-file",
    "old-file:census.csv",
    "unknown-values:motus_authhist",
    "feed-jump:us_truckers",
    "/folder",
  ])("is refused before a file is read: %s", async (name) => {
    expect(await tdf("import", "--dir", "/nowhere", "--accept", "growth", name)).toEqual(
      refused(
        `There is no check "${name}" to --accept; give the names that a refusal prints, such as shrinkage or old-file:census.\n`,
      ),
    );
  });

  it("is none that a refusal prints", async () => {
    const names = [
      ...["missing-source", "missing-source:oos_order", "columns-blank:motus_insur"],
      ...["unknown-values:motus_authhist.REASON", "feed-jump:us_brokers"],
    ];
    expect(await tdf("import", "--dir", "/nowhere", "--accept", ...names)).toEqual(
      refused("There is no folder /nowhere; name the one that holds the registry files.\n"),
    );
  });
});

describe("a day of --as-of", () => {
  // A mistyped day made feeds of a day to come: rows of that day counted, and the feeds were fresh for longer.
  it("is refused when it has not begun anywhere on earth", async () => {
    const today = dayOf(new Date());
    const asOf = (day: string) => tdf("import", "--dir", "/nowhere", "--as-of", day);
    const { out, err, status } = await asOf(addDays(today, 2));
    expect(err).toMatch(/^--as-of is "\S+", a day that has not begun: today is \S+ \(UTC\)\.\n$/);
    expect({ out, status }).toEqual({ out: "", status: 2 });
    expect((await asOf(today)).err).toMatch(/^There is no folder/);
  });
});
