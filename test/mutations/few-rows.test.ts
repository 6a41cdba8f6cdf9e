import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PreparedDays, prepareDays } from "./mutated-days.ts";
import { PARTIAL } from "./partial-damage.ts";
import { tryMutations } from "./run.ts";

let prepared: PreparedDays;

beforeAll(async () => {
  prepared = await prepareDays({ carriers: 4_500, seed: 1 });
});
afterAll(() => prepared?.close());

describe("a few broken rows are refused by the check that tells what is wrong with them:", () => {
  it.each([
    // Amounts that no company has.
    ["Motus Carrier BIPD_FILE times a thousand in 12 rows", "unit-jump:motus_carrier.BIPD_FILE"],
    // Columns that no import changed before.
    [
      "Motus Carrier OP_AUTH_TYPE of passengers in 12 rows of property",
      "column-jump:motus_carrier.OP_AUTH_TYPE",
    ],
    ["Motus BOC3 CO_NAME of another agent in 12 rows", "column-jump:motus_boc3.CO_NAME"],
    ["Company Census File CRGO_HOUSEHOLD X in 12 rows", "column-jump:census.CRGO_GENFREIGHT"],
    // New rows beside the right ones, so that no value changed.
    ["Motus Insur with the docket of the first row in 40 others", "row-jump:motus_insur"],
  ])("%s", async (name, check) => {
    const [outcome] = await tryMutations(
      prepared,
      PARTIAL.filter((mutation) => mutation.name === name),
    );
    expect(outcome).toMatchObject({ name, outcome: `refused: ${check}`, faults: [] });
  });
});
