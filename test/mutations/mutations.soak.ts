import { appendFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUTATIONS } from "./catalogue.ts";
import { type PreparedDays, prepareDays } from "./mutated-days.ts";
import { outcomeTable } from "./outcome-table.ts";
import { tryMutations } from "./run.ts";

// MUTATION_CARRIERS sets the size of the registry, MUTATION_NAMES (a pattern) chooses mutations. The outcome table is
// appended to the file MUTATION_TABLE.
const carriers = Number(process.env.MUTATION_CARRIERS ?? 20_000);
let prepared: PreparedDays;

beforeAll(async () => {
  prepared = await prepareDays({ carriers, seed: 1 });
}, 600_000);
afterAll(() => prepared?.close());

describe("a broken file is refused, or makes no wrong row and no false event", () => {
  it.each(Object.entries(MUTATIONS))("%s", async (kind, mutations) => {
    const chosen = new RegExp(process.env.MUTATION_NAMES ?? "");
    const outcomes = await tryMutations(
      prepared,
      mutations.filter(({ name }) => chosen.test(name)),
    );
    const table = `\n${kind}\n\n${outcomeTable(outcomes)}\n`;
    console.log(table);
    if (process.env.MUTATION_TABLE) await appendFile(process.env.MUTATION_TABLE, table);
    const wrong = outcomes.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ name, faults }) => `${name}: ${faults[0]}`)).toEqual([]);
  });
});
