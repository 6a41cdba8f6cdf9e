// deploy/ names the program's settings, commands and version. A name that the program no longer has fails here.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadCommands } from "../../src/cli/command-line.ts";
import { configFrom } from "../../src/platform/config/config.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const { version } = JSON.parse(read("package.json")) as { version: string };
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as {
  services: Record<string, { image: string; command: string[]; environment: Record<string, string> }>;
};
const chart = globSync("deploy/chart/templates/*", { cwd: ROOT }).map(read).join("\n");

/** The settings that the program reads. */
function settings(): string[] {
  const asked = new Set<string>();
  configFrom(new Proxy({ ADMIN_PORT: "1" }, { get: (_, name) => void asked.add(String(name)) }));
  return [...asked];
}

const OWN = ["migrate", "serve", "dispatch", "import"];

describe("compose.yaml", () => {
  it.each(OWN)("gives %s only settings that the program reads", (name) => {
    const given = Object.keys(compose.services[name]?.environment ?? {});
    expect(given).toContain("DATABASE_URL");
    expect(settings()).toEqual(expect.arrayContaining(given));
  });

  it("takes every variable from example.env", () => {
    const asked = [...read("deploy/compose.yaml").matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name);
    const given = [...read("deploy/example.env").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(given));
  });
});

describe("the chart", () => {
  it("gives the program only settings that it reads", () => {
    const given = [...chart.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name]) => name);
    expect(given.length).toBeGreaterThan(5);
    expect(settings()).toEqual(expect.arrayContaining(given));
  });
});

it("every command in deploy/ is one of the program", async () => {
  const commands = (await loadCommands()).map((command) => command.name());
  const called = [
    ...OWN.flatMap((name) => compose.services[name]?.command.slice(0, 1) ?? []).filter(
      (word) => !/\s/.test(word),
    ),
    ...[...read("deploy/compose.yaml").matchAll(/main\.ts (\w+)/g)].map(([, name = ""]) => name),
    ...[...chart.matchAll(/args: \[(\w+)/g)].map(([, name = ""]) => name),
  ];
  expect(new Set(called)).toEqual(new Set([...OWN, "registry"]));
  expect(commands).toEqual(expect.arrayContaining(called));
});

it("the image has every folder that the program reads", () => {
  const image =
    read("Dockerfile")
      .split(/^FROM /m)
      .at(-1) ?? "";
  const copied = [...image.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  const named = globSync("src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/new URL\(["`](\.\.\/[^"`]*)["`], import\.meta\.url\)/g)].map(([, name = ""]) =>
      path.join(path.dirname(file), name),
    ),
  );
  const outside = named.filter((name) => !name.startsWith("src/"));
  expect(outside.length).toBeGreaterThan(2);
  const missing = outside.filter(
    (name) => !copied.some((each) => name === each || name.startsWith(`${each}/`)),
  );
  expect(missing).toEqual([]);
});

it("the image has every package of this repository that the program imports", () => {
  const [, , packages = "", image = ""] = read("Dockerfile").split(/^FROM /m);
  const imported = globSync("src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/from "@trucking-data-feed\/([\w-]+)/g)].map(([, name]) => `packages/${name}`),
  );
  expect(new Set(imported)).toEqual(new Set(["packages/registry-generator"]));
  const [before = ""] = packages.split("RUN npm ci");
  for (const name of new Set(imported)) expect(before).toContain(`COPY ${name} ${name}\n`);
  expect(image).toContain("COPY --from=packages /app/packages packages\n");
});

it("the version is the program's", () => {
  expect(compose.services.serve?.image).toContain(version);
  expect(read("deploy/example.env")).toContain(`VERSION=${version}`);
  expect(parse(read("deploy/chart/Chart.yaml"))).toMatchObject({ version, appVersion: version });
});
