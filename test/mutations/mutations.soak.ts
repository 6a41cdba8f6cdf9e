import { appendFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUTATIONS } from "./catalogue.ts";
import { type PreparedDays, prepareDays } from "./mutated-days.ts";
import { outcomeTable } from "./outcome-table.ts";
import { tryMutations } from "./run.ts";

// MUTATION_CARRIERS sets the size of the registry, MUTATION_NAMES (a pattern) chooses mutations, and MUTATION_EVERY takes
// one of so many. Each outcome table is appended to the file MUTATION_TABLE.
const carriers = Number(process.env.MUTATION_CARRIERS ?? 20_000);
let prepared: PreparedDays;

beforeAll(async () => {
  prepared = await prepareDays({ carriers, seed: 1 });
}, 600_000);
afterAll(() => prepared?.close());

const chosen = new RegExp(process.env.MUTATION_NAMES ?? "");
const every = Number(process.env.MUTATION_EVERY ?? 1);
const AT_ONCE = 25;

/** The chosen mutations of each kind in parts, so that a run that is broken off has shown most of its outcomes. */
const parts = Object.entries(MUTATIONS).flatMap(([kind, mutations]) => {
  const left = mutations.filter(({ name }, index) => chosen.test(name) && index % every === 0);
  return Array.from({ length: Math.ceil(left.length / AT_ONCE) }, (_, part) => ({
    title: `${kind}, part ${part + 1}`,
    mutations: left.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  }));
});

describe("a broken file is refused, or makes no wrong row and no false event", () => {
  it.each(parts)("$title", async ({ title, mutations }) => {
    const outcomes = await tryMutations(prepared, mutations);
    const table = `\n${title}\n\n${outcomeTable(outcomes)}\n`;
    console.log(table);
    if (process.env.MUTATION_TABLE) await appendFile(process.env.MUTATION_TABLE, table);
    const wrong = outcomes.filter(({ faults }) => faults.length > 0);
    expect(wrong.map(({ name, faults }) => `${name}: ${faults[0]}`)).toEqual([]);
  });
});
