import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../../support/database.ts";

const MAIN = path.join(import.meta.dirname, "../../../src/cli/main.ts");
const run = promisify(execFile);

let dataDir: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "tdf-start-"));
  // The cluster is in this folder even if this is root, whose server runs as another user.
  await chmod(dataDir, 0o755);
  env = { ...process.env, DATA_DIR: dataDir, PORT: "0", DATABASE_URL: "" };
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  printed: string;
  url: string;
  key: string;
}

/** Reads what a process prints, up to the last line of a start. Fails with its complaints when it ends before. */
async function printedBy(child: ChildProcess): Promise<string> {
  let printed = "";
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints += chunk;
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`start ended: ${complaints}`)));
  while (!/Ctrl-C/.test(printed)) {
    const [chunk] = await Promise.race([
      once(child.stdout as NonNullable<typeof child.stdout>, "data"),
      ended,
    ]);
    printed += chunk;
  }
  ended.catch(() => {});
  return printed;
}

/** `npm start` without npm, up to the line after the curl line for a new user. */
async function start(added: NodeJS.ProcessEnv = {}): Promise<Started> {
  const child = spawn(process.execPath, [MAIN, "start"], {
    env: { ...env, ...added },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = await printedBy(child);
  const url = /is at (http:\S+)/.exec(printed)?.[1] ?? "";
  const key = /demo key\s+(\S+)/.exec(printed)?.[1] ?? "";
  return { child, printed, url, key };
}

async function stop({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  const [code] = await once(child, "exit");
  return code;
}

const tdf = async (...args: string[]) => (await run(process.execPath, [MAIN, ...args], { env })).stdout;

/** Processes of this data folder's own PostgreSQL, according to /proc. */
async function serversLeft(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return commands.filter((command) => command.includes("postgres") && command.includes(dataDir));
}

const readFeed = (service: Started) =>
  fetch(`${service.url}/v1/feeds/us_brokers/records?page_size=3`, { headers: { "X-API-Key": service.key } });

describe("start", { timeout: 180_000 }, () => {
  let firstKey: string;

  it("serves a demo from nothing, prints all that a new user needs, and Ctrl-C leaves no process", async () => {
    const service = await start();
    expect(await serversLeft()).not.toEqual([]);
    expect(service.printed).toContain(`${service.url}/docs`);
    const curlLine = service.printed.split("\n").find((line) => line.trim().startsWith("curl"));
    const { stdout } = await run("sh", ["-c", curlLine?.trim().replace("curl", "curl -s") ?? ""]);
    expect(JSON.parse(stdout).data).toHaveLength(3);
    const feeds = await fetch(`${service.url}/v1/feeds`, { headers: { "X-API-Key": service.key } });
    const { data } = (await feeds.json()) as { data: { code: string; fresh: boolean }[] };
    expect(data.filter((feed) => feed.fresh).map((feed) => feed.code)).toEqual([
      "us_new_authority_weekly",
      "us_small_carriers_active",
      "us_revocation_pending",
      "us_insurance_lapse_alerts",
      "us_brokers",
    ]);
    firstKey = service.key;
    expect((await stat(path.join(dataDir, "demo.key"))).mode & 0o777).toBe(0o600);
    expect(await stop(service, "SIGINT")).toBe(0);
    expect(await serversLeft()).toEqual([]);
  });

  it("keeps everything over a second start, and commands can run beside it", async () => {
    const service = await start();
    expect(service.key).toBe(firstKey);
    expect(service.printed).not.toContain("Imported");
    const status = JSON.parse(await tdf("status", "--json"));
    expect(status.feeds.filter((feed: { state: string }) => feed.state === "fresh")).toHaveLength(5);
    const { id } = JSON.parse(
      await tdf(
        "account",
        "create",
        "--name",
        "Acme",
        "--email",
        "a@acme.example",
        "--plan",
        "files",
        "--json",
      ),
    );
    const { key } = JSON.parse(await tdf("key", "create", "--account", String(id), "--json"));
    const answer = await fetch(`${service.url}/v1/feeds`, { headers: { "X-API-Key": key } });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      403,
      "plan_has_no_api_access",
    ]);
    expect(await stop(service, "SIGTERM")).toBe(0);
    expect(await serversLeft()).toEqual([]);
  });

  it("answers every curl line of the README", async () => {
    const readme = await readFile(path.join(import.meta.dirname, "../../../README.md"), "utf8");
    const lines = /```sh\n(KEY=.+?)```/s.exec(readme)?.[1] ?? "";
    const service = await start();
    const script = lines
      .replace(/http:..127.0.0.1:\$\{PORT:-3000\}/, service.url)
      .replaceAll(".data/", `${dataDir}/`)
      .replaceAll("curl -s", "curl -sS --fail-with-body");
    const { stdout } = await run("bash", ["-e", "-u", "-o", "pipefail", "-c", script], { cwd: dataDir });
    expect(stdout).toMatch(/"code":"us_brokers".*"delivery_id":.*"quota_rows":/s);
    expect(await readFile(path.join(dataDir, "small_carriers.csv"), "utf8")).toMatch(/,WA,/);
    // The demo is as clean as before: no endpoint that nobody answers, no company removed.
    const list = await fetch(`${service.url}/v1/webhooks`, { headers: { "X-API-Key": service.key } });
    expect(((await list.json()) as { data: unknown[] }).data).toEqual([]);
    expect(JSON.parse(await tdf("status", "--json")).removals).toMatchObject({ businesses: 0 });
    expect(await stop(service, "SIGTERM")).toBe(0);
  });

  it("recovers from kill -9 with all its data", async () => {
    const killed = await start();
    await stop(killed, "SIGKILL");
    const service = await start();
    expect((await readFeed({ ...service, key: firstKey })).status).toBe(200);
    expect(await stop(service, "SIGINT")).toBe(0);
    expect(await serversLeft()).toEqual([]);
  });

  // npm sends the signal to the shell between us, which only ends itself.
  it("stops when npm gets a signal", async () => {
    const npm = spawn("npm", ["start"], {
      cwd: path.join(import.meta.dirname, "../../.."),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    await printedBy(npm);
    npm.kill("SIGTERM");
    await once(npm, "exit");
    while ((await serversLeft()).length > 0) await wait(100);
  });

  it("does not mix other files with the demo's, and replaces the demo on request", async () => {
    const dir = path.join(dataDir, "real");
    await tdf(
      "registry",
      "generate",
      "--out",
      dir,
      "--carriers",
      "1000",
      "--seed",
      "9",
      "--as-of",
      "2026-11-20",
    );
    const folder = path.join(dir, "day-00");
    await expect(tdf("import", "--dir", folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--replace-demo"),
    });
    const report = JSON.parse(await tdf("import", "--dir", folder, "--replace-demo", "--json"));
    expect(report).toMatchObject({ asOf: "2026-11-20", changes: { census: { deleted: 0 } } });
    const again = JSON.parse(await tdf("import", "--dir", folder, "--json"));
    expect(again.feeds.every((feed: { isNew: boolean }) => !feed.isNew)).toBe(true);
    expect(await tdf("import", "--dir", folder)).toMatch(
      /us_brokers .* unchanged.*Revocations pending: \d.*Events: none/s,
    );
    const service = await start();
    expect(service.key).toBe("");
    // The keys of the demo still work, and so do others made beside it.
    expect(service.printed).not.toContain("No key yet");
    expect((await readFeed({ ...service, key: firstKey })).status).toBe(200);
    await stop(service, "SIGINT");
  });

  it("says that there is no key yet, until there is one", async () => {
    const database = await createTestDatabase();
    const named = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString("base64") };
    const service = await start(named);
    expect(service.printed).toContain("No key yet");
    await stop(service, "SIGINT");
    const options = { env: { ...env, ...named } };
    const words = [
      "account",
      "create",
      "--name",
      "Ada",
      "--email",
      "ada@freight.example",
      "--plan",
      "starter",
    ];
    await run(process.execPath, [MAIN, ...words], options);
    await run(process.execPath, [MAIN, "key", "create", "--account", "1"], options);
    const later = await start(named);
    expect(later.printed).not.toContain("No key yet");
    await stop(later, "SIGINT");
    await database.drop();
  });
});
