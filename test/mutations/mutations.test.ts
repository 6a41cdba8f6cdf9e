import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUTATIONS } from "./catalogue.ts";
import { MUTATED_DAY, type PreparedDays, prepareDays } from "./mutated-days.ts";
import { tryMutations } from "./run.ts";
import { compareEvents, compareFeeds, servedEvents, servedFeeds } from "./served.ts";

// A few of the mutations in mutations.soak.ts.
const TRIED = [
  'Motus AuthHist REASON: ^Involuntary Suspension - insurance.* is "Suspended, no coverage on file"',
  'Motus RevokeSuspend ORDER1_TYPE_DESC: Involuntary Suspension Notice is "Suspension Notice"',
  'Motus Carrier OP_AUTH_STATUS: Active is "Authorized"',
  'Motus AuthHist OP_AUTH_TYPE without "(Except Household Goods)"',
  'Motus AuthHist REASON with "\u2013" for a hyphen',
  "Motus AuthHist STATUS_CHANGE_DATE moved by -1 days",
  "Motus RevokeSuspend ORDER1_SERVE_DATE as DD-MON-YY",
  "Motus InsHist with EFFECTIVE_DATE and CANCL_EFFECTIVE_DATE swapped",
  "Motus Insur with EFFECTIVE_DATE and TRANS_DATE swapped",
  "Company Census File POWER_UNITS blank in one row in 20",
  "Motus Carrier of the first day",
  "Out-of-service orders with OOS_DATE and RESCIND_DATE swapped",
  "Out-of-service orders DOT_NUMBER blank in one row in 20",
  "Motus Insur with its columns in another order",
  "Motus Carrier BIPD_FILE with separators in 10 rows",
  "Motus Carrier BIPD_FILE in thousands in 4 rows",
  "Motus Carrier with a second row without amount of 4 carriers",
  "Out-of-service orders RESCIND_DATE 2000-01-01 where it was blank",
  "Company Census File with an unclosed quote before two names",
  "Company Census File POWER_UNITS with a decimal in one row in 60",
  "Company Census File with a stray comma in 200 rows",
  "Company Census File with blanks written NULL",
  "Company Census File PHONE shifted by a row in the last tenth",
];

let prepared: PreparedDays;

beforeAll(async () => {
  prepared = await prepareDays({ carriers: 1_200, seed: 1 });
});
afterAll(() => prepared?.close());

describe("a broken file is refused, or makes no wrong row and no false event", () => {
  const all = Object.values(MUTATIONS).flat();
  it.each(TRIED)("%s", async (name) => {
    const [outcome] = await tryMutations(
      prepared,
      all.filter((mutation) => mutation.name === name),
    );
    expect(outcome).toMatchObject({ name, faults: [] });
  });
});

it("the day after a refused one adds all changes of both days", async () => {
  const { context, close } = await prepared.open();
  try {
    expect(await prepared.importDay(context, MUTATED_DAY + 1)).toBeNull();
    const { feedsNext, events } = prepared.expected;
    const nothing = { name: "nothing", files: [], change: (text: string) => text };
    expect(compareFeeds(await servedFeeds(context), feedsNext, nothing)).toMatchObject({
      wrong: [],
      missing: 0,
    });
    expect(compareEvents(await servedEvents(context), events)).toMatchObject({ wrong: [] });
  } finally {
    await close();
  }
});
