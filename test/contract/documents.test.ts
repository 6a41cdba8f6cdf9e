// README and docs/ must describe the program's settings, commands, checks and metrics. These tests fail for anything
// new that is not documented.

import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ownMetrics } from "../../scripts/dashboard/own-metrics.ts";
import { loadCommands } from "../../src/cli/command-line.ts";
import { CHECKS } from "../../src/importer/checks/complaint.ts";
import { configFrom } from "../../src/platform/config/config.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const PAGES = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })];

const read = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");

/** The cells of a page's table rows whose first cell is code. */
const codeRows = (page: string): string[][] =>
  read(page)
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

const codesIn = (page: string): string[] => codeRows(page).map(([first = ""]) => first.replaceAll("`", ""));

describe("settings", () => {
  const rows = codeRows("docs/operating/configuration.md");
  const settings = codesIn("docs/operating/configuration.md");

  it("are exactly those that the program reads", () => {
    const asked = new Set<string>();
    const environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
    configFrom(environment);
    // Read only if it is set.
    configFrom(new Proxy({ ADMIN_PORT: "1" }, { get: (_, name) => void asked.add(String(name)) }));
    expect(settings.toSorted()).toEqual([...asked].sort());
  });

  it.each(rows.filter(([, byDefault = ""]) => /^`[^`]+`$/.test(byDefault)))(
    "%s has the default %s",
    (name = "", byDefault = "") => {
      const value = byDefault.replaceAll("`", "").replace(/:PORT$/, ":3000");
      expect(configFrom({ [name.replaceAll("`", "")]: value })).toEqual(configFrom({}));
    },
  );

  it("the contract names the default of SHARED_CONTACT_LIMIT, wherever it speaks of shared contacts", () => {
    const text = read("openapi.yaml").replaceAll(/\s+/g, " ");
    const named = [...text.matchAll(/more than (\d+)(?: active USDOT numbers)? file/g)].map(([, limit]) =>
      Number(limit),
    );
    expect(named).toEqual(Array(6).fill(configFrom({}).sharedContactLimit));
  });
});

/** The names of all commands that do something, with their arguments. */
function commandsUnder(command: Command, prefix = ""): string[] {
  const name = `${prefix}${command.name()}`;
  const args = command.registeredArguments.map(
    (each) => ` ${each.name().toUpperCase()}${each.variadic ? "..." : ""}`,
  );
  const below = command.commands.flatMap((sub) => commandsUnder(sub, `${name} `));
  const isGroup = below.length > 0 && command.options.length === 0;
  return isGroup ? below : [`${name}${args.join("")}`, ...below];
}

describe("commands", () => {
  it("are exactly those of the program", async () => {
    const commands = (await loadCommands()).flatMap((command) => commandsUnder(command));
    expect(codesIn("docs/operating/commands.md").toSorted()).toEqual(commands.sort());
  });
});

describe("checks of an import", () => {
  it("are exactly those of the program", () => {
    expect(codesIn("docs/operating/importing.md").toSorted()).toEqual(CHECKS.toSorted());
  });
});

describe("metrics", () => {
  it("are exactly those of the program", () => {
    const named = codesIn("docs/operating/monitoring.md").filter((code) => code.startsWith("tdf_"));
    expect(named.toSorted()).toEqual(ownMetrics().map(({ name }) => name));
  });
});

/** The anchors of a page's headings on GitHub. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );

describe("pages", () => {
  it.each(PAGES)("%s links to what exists", (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(PAGES)("%s names files and folders that exist", (page) => {
    const named = read(page).match(/(?<=`)(?:src|test|scripts|docs|prisma|examples)\/[\w./*-]+(?=`)/g) ?? [];
    const isThere = (name: string) =>
      name.startsWith("src/generated") || globSync(name, { cwd: ROOT }).length > 0;
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it("are all in the index", () => {
    const index = read("docs/README.md");
    const missing = PAGES.map((page) => path.relative("docs", page)).filter(
      (page) => page !== "README.md" && page !== "../README.md" && !index.includes(`](${page})`),
    );
    expect(missing).toEqual([]);
  });

  it("begin with their question", () => {
    const first = (page: string) => read(page).split("\n")[0] ?? "";
    const asking = PAGES.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
    expect(asking.filter((page) => !/^# .+\?$/.test(first(page)))).toEqual([]);
  });
});

describe("README", () => {
  const readme = read("README.md");

  it("fits on a screen and a half, and says how to start and to test", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
    expect(readme).toContain("\nnpm ci && npm start\n");
    expect(readme).toContain("\nnpm ci && npm test\n");
  });

  it("requests only paths of the contract", () => {
    const { paths } = parse(read("openapi.yaml")) as { paths: Record<string, object> };
    const patterns = Object.keys(paths).map((one) => new RegExp(`^${one.replace(/\{[^}]+\}/g, "[^/]+")}$`));
    const asked = [...readme.matchAll(/\$URL([^\s'"?)]*)/g)].map(([, one = ""]) => one);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
  });
});
