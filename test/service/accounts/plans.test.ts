import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../../../src/accounts/accounts.ts";
import { parsePlanFile } from "../../../src/accounts/plans/plan-file.ts";
import { applyPlans, listPlans, SHIPPED_PLANS } from "../../../src/accounts/plans/plans.ts";
import type { Context } from "../../../src/platform/context.ts";
import { callerOf, openAccount } from "../../support/accounts.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";

const WORDS = {
  feedCodes: [
    "us_new_authority_weekly",
    "us_small_carriers_active",
    "us_revocation_pending",
    "us_insurance_lapse_alerts",
    "us_brokers",
  ],
  regions: ["CA", "FL", "GA", "IL", "OR", "TX"],
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-21T10:30:15Z"));
  folder = await mkdtemp(path.join(tmpdir(), "tdf-plans-"));
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function apply(text: string, options = {}) {
  const file = path.join(folder, "plans.yaml");
  await writeFile(file, text);
  return applyPlans(context, file, WORDS, options);
}

const GOOD = `
plans:
  small:
    name: Small
    api_access: true
    requests_per_minute: 10
    rows_per_month: 100
    feeds:
      us_brokers: [TX, OR, CA, TX]
      us_new_authority_weekly: all
`;

describe("applying plans", () => {
  it("applies the shipped file: files, starter, growth and national", async () => {
    const codes = ["files", "starter", "growth", "national"];
    expect(await applyPlans(context, SHIPPED_PLANS, WORDS)).toEqual({
      applied: codes,
      removed: [],
      kept: [],
    });
    const plans = await listPlans(context);
    expect(plans.map(({ code, api_access }) => [code, api_access])).toEqual([
      ["files", false],
      ["starter", true],
      ["growth", true],
      ["national", true],
    ]);
    expect(plans[1]).toEqual({
      code: "starter",
      name: "Starter",
      api_access: true,
      requests_per_minute: 60,
      rows_per_month: 20_000,
      concurrent_exports: 5,
      watched_carriers: 500,
      listed: true,
      order: 2,
      description: "For a first integration: new authorities, and brokers of five states.",
      price: null,
      feeds: { us_brokers: ["CA", "FL", "GA", "IL", "TX"], us_new_authority_weekly: null },
      accounts: 0,
    });
    // Enough for every feed of the full registry several times a month.
    expect(plans.map(({ rows_per_month }) => rows_per_month)).toEqual([0, 20_000, 1_000_000, 20_000_000]);
    expect(Object.entries(plans[3]?.feeds ?? {})).toEqual(
      WORDS.feedCodes.toSorted().map((code) => [code, null]),
    );
  });

  it("changes plans, removes unused ones on request, keeps the others and reports all of them", async () => {
    await applyPlans(context, SHIPPED_PLANS, WORDS);
    await createAccount(context, { name: "Ada", email: "ada@freight.example", planCode: "growth" });
    const before = (await listPlans(context)).find(({ code }) => code === "growth");
    expect(await apply(GOOD)).toEqual({
      applied: ["small"],
      removed: [],
      kept: [
        { code: "files", accounts: 0 },
        { code: "growth", accounts: 1 },
        { code: "national", accounts: 0 },
        { code: "starter", accounts: 0 },
      ],
    });
    expect(await listPlans(context)).toHaveLength(5);
    expect(await apply(GOOD, { removesUnused: true })).toEqual({
      applied: ["small"],
      removed: ["files", "national", "starter"],
      kept: [{ code: "growth", accounts: 1 }],
    });
    const plans = await listPlans(context);
    expect(plans.map(({ code }) => code)).toEqual(["small", "growth"]);
    expect(plans[0]?.feeds).toEqual({ us_brokers: ["CA", "OR", "TX"], us_new_authority_weekly: null });
    expect(plans[1]).toEqual(before);
    await apply(GOOD.replace("rows_per_month: 100", "rows_per_month: 200").replace(/ {6}us_new.*\n/, ""));
    expect((await listPlans(context))[0]).toMatchObject({
      code: "small",
      rows_per_month: 200,
      feeds: { us_brokers: ["CA", "OR", "TX"] },
    });
  });

  it("applies to callers from the next request on", async () => {
    const account = await openAccount(context);
    await apply(GOOD.replace("small:", `${account.planCode}:`));
    const caller = await callerOf(context, account.key);
    // Plan files of version 1.0 do not limit exports.
    expect(caller).toMatchObject({ requestsPerMinute: 10, rowsPerMonth: 100, concurrentExports: 5 });
    expect([...caller.feeds]).toEqual(
      expect.arrayContaining([
        ["us_brokers", ["CA", "OR", "TX"]],
        ["us_new_authority_weekly", null],
      ]),
    );
  });

  it("changes nothing when the file is not valid", async () => {
    const before = await listPlans(context);
    await expect(apply(`${GOOD}  Bad Code: {}\n`)).rejects.toThrow("is not a valid plan file");
    expect(await listPlans(context)).toEqual(before);
    await expect(applyPlans(context, path.join(folder, "none.yaml"), WORDS)).rejects.toThrow(
      /The plan file .*none\.yaml can't be read \(ENOENT\)/,
    );
  });
});

describe("a plan file", () => {
  const mistakesOf = (text: string): string => {
    try {
      parsePlanFile(text, "p.yaml", WORDS);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  const changed = (from: string | RegExp, to: string) => {
    const text = GOOD.replace(from, to);
    expect(text).not.toBe(GOOD);
    return mistakesOf(text);
  };

  it("is refused with a sentence for each mistake", () => {
    expect(mistakesOf(GOOD)).toBe("");
    expect(mistakesOf("")).toContain('it needs a member "plans" with at least one plan');
    expect(mistakesOf("- x")).toContain('it needs a member "plans"');
    expect(mistakesOf("plans: {a: [}")).toContain("p.yaml is not valid YAML");
    expect(mistakesOf(`${GOOD}${GOOD.slice(8)}`)).toContain("Map keys must be unique");
    expect(changed("small:", "Small Plan:")).toContain(
      'plan "Small Plan": its code must be 1 to 40 small letters',
    );
    expect(changed("name: Small", "name: 7")).toContain(
      'plan "small": name must be a text of 1 to 100 characters',
    );
    expect(changed("api_access: true", "api_access: yes")).toContain("api_access must be true or false");
    expect(changed("minute: 10", "minute: 0")).toContain(
      "requests_per_minute must be a whole number from 1 to",
    );
    expect(changed("minute: 10", "minute: 1.5")).toContain("requests_per_minute must be a whole number");
    const exports = (text: string) => changed("    feeds:", `    concurrent_exports: ${text}\n    feeds:`);
    expect(exports("0")).toContain("concurrent_exports must be a whole number from 1 to 1000");
    expect(exports("many")).toContain("concurrent_exports must be a whole number");
    const priced = (line: string) => changed("    feeds:", `    ${line}\n    feeds:`);
    expect(priced("price: 490")).toContain("price must be a text of 1 to 100 characters in one line");
    expect(priced(`description: ${"x".repeat(301)}`)).toContain("description must be a text of 1 to 300");
    expect(priced("listed: often")).toContain("listed must be true or false");
    expect(priced("order: -1")).toContain("order must be a whole number from 0 to 1000");
    expect(changed("month: 100", "month: -1")).toContain("rows_per_month must be a whole number from 0 to");
    expect(changed("month: 100", 'month: "100"')).toContain("rows_per_month must be a whole number");
    expect(changed("us_brokers", "us_broker")).toContain(
      'there is no feed "us_broker" (the feeds are us_new_authority',
    );
    expect(changed("OR, CA", "XX, ca")).toContain("the regions of us_brokers are not US state codes: XX, ca");
    expect(changed("[TX, OR, CA, TX]", "[]")).toContain(
      "the regions of us_brokers must be all, or a list of at",
    );
    expect(changed(": all", ": TX")).toContain(
      "the regions of us_new_authority_weekly must be all, or a list",
    );
    expect(changed(/feeds:.*/s, "feeds: none\n")).toContain("feeds must name each feed with its regions");
    expect(changed("name:", "nme:")).toContain("a plan has no member nme (only name, api_access,");
    expect(changed("plans:", "extra: 1\nplans:")).toContain("the file has no member extra (only plans)");
    expect(changed(/small:.*/s, "small:\n")).toContain('plan "small": name must be a text');
  });

  it("is refused with all its mistakes at once", () => {
    const message = mistakesOf(GOOD.replace("minute: 10", "minute: ten").replace("us_brokers", "us_boats"));
    expect(message).toContain("requests_per_minute");
    expect(message).toContain("us_boats");
  });
});
