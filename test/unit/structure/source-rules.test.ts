// Checks all files of src with the rules of source-rules.ts, and shows that each rule refuses an example.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { faultsOf, SOURCE_RULES } from "./source-rules.ts";
import { FILES_WITH_SQL } from "./sql-places.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const files = globSync("src/**/*.ts", { cwd: ROOT, exclude: (name) => name === "src/generated" });

const HANDLER = "src/api/handlers/readUsage.ts";
const goodHandler = (
  body: string,
): string => `import { readUsage as usageOf } from "../../accounts/usage/usage.ts";
import type { Handler } from "../../generated/operations.ts";

export const readUsage: Handler<"readUsage"> = async ({ caller }, context) => {
  ${body}
};
`;
const CALL = "const body = await usageOf(context, caller);";

const READS = "only src/platform/config/config.ts reads the environment";
const NAMES = "an entry point does not name the database of its context";
const SQL = "SQL is in .sql files, and in the files that can't do without";
const DRIVER = "SQL runs through src/platform/database";
const FIXED = "a text that is always the same is a .sql file";
const BRANCHES = "a handler does not branch";
const IMPORTS = "a handler imports types and one function";
const FROM = "a handler imports its function from a module of src";
const CALLS = "a handler calls one function, once";

/** Bad examples: the file, its text, and the rules that refuse it. */
const BAD: readonly [file: string, text: string, ...rules: string[]][] = [
  ["src/feeds/x.ts", "export const port = process.env.PORT;", READS],
  ["src/feeds/x.ts", 'export const port = process["env"];', READS],
  ["src/cli/x.ts", "const { env } = process;", READS],
  ["src/cli/x.ts", "const { env: settings } = globalThis.process;", READS],
  ["src/api/x.ts", "give(context.db);", NAMES],
  ["src/pages/dashboard/x.ts", "const show = ({ db: database }) => database;", NAMES],
  ["src/cli/x.ts", 'run("DELETE FROM event");', SQL],
  ["src/pages/x.ts", "run(`SELECT * FROM event`);", SQL],
  ["src/feeds/x.ts", `run(\`UPDATE \${table} SET pos = 1\`);`, SQL],
  ["src/feeds/x.ts", `run(\`\n  WITH \${name} AS (SELECT 1) SELECT FROM event\`);`, SQL],
  ["src/events/x.ts", 'run("-- Drops it.\\nDROP TABLE event");', SQL],
  ["src/importer/x.ts", `run(\`COPY \${table} FROM STDIN\`);`, SQL],
  ["src/webhooks/x.ts", 'import { dynamic } from "../platform/database/statement.ts";', SQL],
  ["src/webhooks/x.ts", 'import * as database from "../platform/x.ts"; database.copyTo(client, text);', SQL],
  ["src/accounts/x.ts", "pool.query<Row>({ text, values });", DRIVER],
  ["src/accounts/x.ts", 'pool["query"](text);', DRIVER],
  ["src/accounts/x.ts", `prisma.$queryRaw\`\${text}\`;`, DRIVER],
  ["src/feeds/row-files/read-lines.ts", 'dynamic(client, "SELECT pos FROM event", []);', FIXED],
  [HANDLER, goodHandler(`if (caller.isHead) return null; ${CALL}`), BRANCHES],
  [HANDLER, goodHandler(`${CALL} return body ? 1 : 2;`), BRANCHES],
  [HANDLER, goodHandler(`${CALL} return body ?? null;`), BRANCHES],
  [HANDLER, goodHandler(`${CALL} return body?.usage;`), BRANCHES],
  [HANDLER, goodHandler(`for (const _ of []) { ${CALL} }`), BRANCHES],
  [HANDLER, goodHandler(`try { ${CALL} } catch {}`), BRANCHES],
  [HANDLER, goodHandler(`${CALL} await usageOf(context, caller);`), CALLS],
  [HANDLER, goodHandler(`${CALL} return JSON.stringify(body);`), CALLS],
  [HANDLER, goodHandler("return { status: 200 };"), CALLS],
  [HANDLER, `import { keysOf } from "../../accounts/keys/keys.ts";\n${goodHandler(CALL)}`, IMPORTS],
  [HANDLER, `import path from "node:path";\n${goodHandler(CALL)}`, IMPORTS, FROM],
  [HANDLER, `import { html } from "../../platform/html.ts";\n${goodHandler(CALL)}`, IMPORTS, FROM],
  [HANDLER, 'import "../../accounts/usage/usage.ts";\nusageOf();', FROM],
  [HANDLER, "usageOf();", IMPORTS],
];

describe("the rules of the source", () => {
  it("find nothing in src", () => {
    const faults = files.flatMap((file) =>
      faultsOf(file, readFileSync(path.join(ROOT, file), "utf8")).map((fault) => `${file}: ${fault}`),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it.each(BAD)("refuse in %s: %s", (file, text, ...rules) => {
    const broken = faultsOf(file, text).map((fault) => fault.split(": ")[0]);
    expect(new Set(broken)).toEqual(new Set(rules));
  });

  it("each refuse at least one example", () => {
    const shown = new Set(BAD.flatMap(([, , ...rules]) => rules));
    expect(shown).toEqual(new Set(SOURCE_RULES.map(({ name }) => name)));
  });

  it("list no file with SQL that has none", () => {
    const text = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
    // Under another name the same text is refused.
    expect(FILES_WITH_SQL.filter((file) => faultsOf("src/x.ts", text(file)).length === 0)).toEqual([]);
  });

  it("accept a handler that passes its input on", () => {
    expect(faultsOf(HANDLER, goodHandler(`${CALL} return { status: 200, body };`))).toEqual([]);
  });
});
