import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../../../src/platform/version.ts";
import { folder, json, newAccount, SHIPPED_PLANS, tdf, useAccountCommands } from "./account-commands.ts";

useAccountCommands();

const ONE_PLAN = `
plans:
  trial:
    name: Trial
    api_access: true
    requests_per_minute: 10
    rows_per_month: 100
    feeds:
      us_brokers: all
`;

describe("from the command line", () => {
  it("a plan file with one plan keeps the others, except with --remove", async () => {
    const file = path.join(folder, "trial.yaml");
    await writeFile(file, ONE_PLAN);
    await tdf("plan", "apply", SHIPPED_PLANS);
    expect((await tdf("plan", "apply", file)).out).toBe(
      "Applied: trial.\nNot in the file, unchanged: files, growth, national, starter. " +
        "No account has them; --remove removes them.\n",
    );
    expect(await json("plan", "list")).toHaveLength(5);
    expect((await tdf("plan", "apply", SHIPPED_PLANS, "--remove")).out).toMatch(
      /^Removed \(not in the file, no account has them\): trial\.$/m,
    );
    expect(await json("plan", "list")).toHaveLength(4);
    expect((await tdf("plan", "apply", "--help")).out).toContain("never removed");
  });

  it("the program prints its version", async () => {
    expect(await tdf("--version")).toEqual({ out: `${VERSION}\n`, err: "", status: 0 });
  });

  it("a plan is applied, an account opened, a key made, listed and revoked", async () => {
    expect(await json("plan", "apply", SHIPPED_PLANS)).toEqual({
      applied: ["files", "starter", "growth", "national"],
      removed: [],
      kept: [],
    });
    const account = await json(...newAccount, "starter");
    expect(account).toEqual({ id: 1, name: "Ada Freight", email: "ada@freight.example", plan: "starter" });
    expect(await json("account", "set-plan", "1", "growth")).toEqual({ ...account, plan: "growth" });
    expect(await json("account", "list")).toEqual([expect.objectContaining({ id: 1, plan: "growth" })]);
    expect(await json("plan", "list")).toHaveLength(4);

    const key = await json("key", "create", "--account", "1", "--name", "Nightly sync");
    expect(key).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      key: expect.stringMatching(/^tdf_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/),
      prefix: `tdf_live_${key.id}`,
    });
    expect(await json("key", "revoke", key.id)).toEqual({ id: key.id });
    const listed = await tdf("key", "list", "--account", "1", "--json");
    expect(JSON.parse(listed.out)).toEqual([
      expect.objectContaining({ id: key.id, name: "Nightly sync", revoked_at: expect.any(String) }),
    ]);
    expect(listed.out).not.toContain(key.key.slice(18));
  });

  it("a sign-in link is mailed to a new account's owner, and printed if there is no mail server", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { out } = await tdf(...newAccount, "starter");
    const link = /http:\/\/127\.0\.0\.1:3000\/dashboard\/sign-in\/[\w-]{43}/;
    expect(out).toMatch(link);
    const { id } = await json("account", "list").then((accounts) => accounts.at(-1));
    const { account_id, url } = await json("account", "sign-in-link", String(id));
    expect(account_id).toBe(id);
    expect(url).toMatch(link);
    expect(out).not.toContain(url);
    expect((await tdf("account", "sign-in-link", "999")).err).toMatch(/no account 999/);
  });

  it("output for people is sentences and tables", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(...newAccount, "files");
    const file = path.join(folder, "one.yaml");
    await writeFile(
      file,
      "plans: {one: {name: One, api_access: true, requests_per_minute: 1, rows_per_month: 1, feeds: {us_brokers: [TX]}}}",
    );
    const { out } = await tdf("plan", "apply", file);
    expect(out).toContain("Applied: one.");
    expect(out).toMatch(/Not in the file, unchanged: files\. 1 account has it;/);
    expect((await tdf("plan", "list")).out).toMatch(
      /one +One +yes +1 +1 +5 +1,000 +0 {2}no +us_brokers \(TX\)/,
    );
    expect((await tdf("account", "list")).out).toMatch(
      new RegExp(` ${id} {2}Ada Freight +ada@freight.example +files`),
    );
    const created = await tdf("key", "create", "--account", String(id));
    expect(created.out).toMatch(/^tdf_live_\w+\nKeep it now/);
    expect((await tdf("key", "list")).out).toMatch(/default +active +usual +never +any +never/);
  });

  it("an error is one line on standard error and a status that is not 0", async () => {
    const refused: [string[], RegExp][] = [
      [[...newAccount, "nope"], /^There is no plan "nope"; choose one of .*\n$/],
      [["account", "set-plan", "x", "files"], /^An account is named by its number, not "x"; .*\n$/],
      [
        ["key", "create", "--account", "999"],
        /^There is no account 999; "account list" shows all accounts\.\n$/,
      ],
      [["key", "list", "--account", "999"], /^There is no account 999; .*\n$/],
      [["key", "revoke", "nosuchid"], /^There is no key with that identifier .*\n$/],
      ...["tomorrow 2027", "2027-02-30", "12/11/2027", "2027-01-01T00:00", "275760-09-13"].map(
        (text): [string[], RegExp] => [
          ["key", "create", "--account", "1", "--expires", text],
          /^--expires is ".*": give a date like 2026-11-20 or a time like .*\n$/,
        ],
      ),
      [["plan", "apply", path.join(folder, "none.yaml")], /^The plan file .* can't be read \(ENOENT\)\.\n$/],
    ];
    for (const [words, sentence] of refused) {
      expect(await tdf(...words)).toEqual({ out: "", err: expect.stringMatching(sentence), status: 2 });
    }
  });

  it("every command has a description", async () => {
    for (const words of [
      ["plan"],
      ["account"],
      ["key"],
      ["plan", "apply"],
      ["account", "create"],
      ["key", "revoke"],
    ]) {
      expect((await tdf(...words, "--help")).out).toMatch(/^Usage: tdf /);
    }
  });

  // The printed command is pasted: it has to be whole.
  it("an opened account is told with the command that makes its key", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(
      "account",
      "create",
      "--name",
      "Bo",
      "--email",
      "bo@freight.example",
      "--plan",
      "starter",
    );
    const { out } = await tdf(
      "account",
      "create",
      "--name",
      "Cy",
      "--email",
      "cy@freight.example",
      "--plan",
      "starter",
    );
    expect(out).toContain(`Make a key for it: npm run -s tdf -- key create --account ${id + 1}\n`);
  });
});
