// deploy/ names the program's settings, commands and version. A name that the program no longer has fails here.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadCommands } from "../../src/cli/command-line.ts";
import { STOP_NOTICE_MS } from "../../src/cli/service/stop-signal.ts";
import { configFrom } from "../../src/platform/config/config.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const { version } = JSON.parse(read("package.json")) as { version: string };
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as {
  services: Record<
    string,
    {
      image: string;
      command: string[];
      environment: Record<string, string>;
      healthcheck?: { disable?: boolean };
    }
  >;
};
const chart = globSync("deploy/chart/templates/*", { cwd: ROOT }).map(read).join("\n");

/** The settings that the program reads. */
function settings(): string[] {
  const asked = new Set<string>();
  configFrom(new Proxy({ ADMIN_PORT: "1" }, { get: (_, name) => void asked.add(String(name)) }));
  return [...asked];
}

const OWN = ["migrate", "serve-a", "serve-b", "dispatch", "import", "backup"];

describe("compose.yaml", () => {
  it.each(OWN)("gives %s only settings that the program reads", (name) => {
    const given = Object.keys(compose.services[name]?.environment ?? {});
    expect(given).toContain("DATABASE_URL");
    expect(settings()).toEqual(expect.arrayContaining(given));
  });

  // That of the image asks a server, so that a container of these would always count as ill.
  it.each(["migrate", "import", "backup"])("asks %s for no health", (name) => {
    expect(compose.services[name]?.healthcheck).toEqual({ disable: true });
  });

  // With 2 s it asked half of the servers never in the second that they say so, and sent them requests until their end.
  it("has a proxy that asks each server at least twice while that says that it stops", () => {
    const [, interval = ""] = /health_interval (\d+)ms/.exec(read("deploy/Caddyfile")) ?? [];
    expect(Number(interval)).toBeGreaterThan(0);
    expect(Number(interval) * 2).toBeLessThanOrEqual(STOP_NOTICE_MS);
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
    expect([...settings(), "NODE_EXTRA_CA_CERTS"]).toEqual(expect.arrayContaining(given));
  });
});

it("every command in deploy/ is one of the program", async () => {
  const commands = (await loadCommands()).map((command) => command.name());
  const called = [
    ...OWN.flatMap((name) => compose.services[name]?.command.slice(0, 1) ?? []).filter(
      (word) => !/\s/.test(word),
    ),
    ...["deploy/compose.yaml", "deploy/import-day.sh"].flatMap((file) =>
      [...read(file).matchAll(/main\.mjs (\w+)/g)].map(([, name = ""]) => name),
    ),
    ...[...chart.matchAll(/args: \[(\w+)/g)].map(([, name = ""]) => name),
  ];
  expect(new Set(called)).toEqual(
    new Set(["migrate", "serve", "dispatch", "import", "registry", "backup", "removal"]),
  );
  expect(commands).toEqual(expect.arrayContaining(called));
});

describe("a day's import", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "tdf-day-"));
    mkdirSync(path.join(folder, "data/registry"), { recursive: true });
    writeFileSync(path.join(folder, "data/registry/census.csv"), "1");
    // In the place of the program: it ends as the file beside it says, and notes how it was called.
    writeFileSync(
      path.join(folder, "node"),
      `#!/bin/sh\necho "$2 $3" >>"${folder}/calls"\n[ "$2" = registry ] || exit "$(cat "${folder}/ends")"\n`,
      { mode: 0o755 },
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const day = (ends: number, ...options: string[]) => {
    writeFileSync(path.join(folder, "ends"), String(ends));
    const script = read("deploy/import-day.sh").replaceAll("/data/", `${folder}/data/`);
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const { status, stderr } = spawnSync("/bin/sh", ["-s", "--", ...options], {
      input: script,
      env,
      encoding: "utf8",
    });
    const imports = readFileSync(path.join(folder, "calls"), "utf8").match(/import/g)?.length ?? 0;
    return { status, imports, stderr };
  };

  it("that is refused is not tried again until its files change or a person says so", () => {
    expect(day(75)).toMatchObject({ status: 75, imports: 1 });
    expect(day(65)).toMatchObject({ status: 65, imports: 2 });
    expect(day(0)).toMatchObject({ status: 65, imports: 2, stderr: expect.stringContaining("were refused") });
    expect(day(0, "--accept", "feed-jump")).toMatchObject({ status: 0, imports: 3 });
    expect(day(65)).toMatchObject({ status: 65, imports: 4 });
    writeFileSync(path.join(folder, "data/registry/census.csv"), "12");
    expect(day(0)).toMatchObject({ status: 0, imports: 5 });
    expect(day(0)).toMatchObject({ status: 0, imports: 6 });
  });
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

it("the image and npm start Node with the same flags", () => {
  const [, command = ""] = /^ENTRYPOINT (.+)$/m.exec(read("Dockerfile")) ?? [];
  const { scripts } = JSON.parse(read("package.json"));
  const npm = scripts.tdf as string;
  expect(JSON.parse(command).join(" ")).toBe(npm);
  expect(scripts.start).toBe(`${npm} start`);
});

it("the guide starts a process without containers as the image does", () => {
  const [settings = ""] = /MALLOC_.+$/m.exec(read("Dockerfile")) ?? [];
  expect(settings).toMatch(/^MALLOC_ARENA_MAX=\d+ MALLOC_MMAP_THRESHOLD_=\d+$/);
  const guide = read("docs/operating/running.md");
  expect(guide).toContain(`export ${settings} `);
  expect(guide).toContain(` ${JSON.parse(read("package.json")).scripts.tdf} serve\n`);
});

it("the image has every package of this repository that the program imports", () => {
  const [, , packages = "", image = ""] = read("Dockerfile").split(/^FROM /m);
  const imported = globSync("src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
    // At the beginning of a line: pages show programs that import the SDK.
    [...read(file).matchAll(/^(?:import|\}) .*from "@trucking-data-feed\/([\w-]+)/gm)].map(
      ([, name]) => `packages/${name}`,
    ),
  );
  expect(new Set(imported)).toEqual(new Set(["packages/registry-generator"]));
  const [before = ""] = packages.split("RUN npm ci");
  for (const name of new Set(imported)) expect(before).toContain(`COPY ${name} ${name}\n`);
  expect(image).toContain("COPY --from=packages /app/packages packages\n");
});

it("the version is the program's", () => {
  expect(compose.services["serve-a"]?.image).toContain(version);
  expect(read("deploy/example.env")).toContain(`VERSION=${version}`);
  expect(parse(read("deploy/chart/Chart.yaml"))).toMatchObject({ version, appVersion: version });
});
