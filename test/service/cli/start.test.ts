import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../../support/database.ts";
import { MAIN, runTdf, spawnTdf } from "../../support/processes/command.ts";
import { printedBy, readFeed, type Started, stop } from "./started.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
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

/** `npm start` without npm, up to the line after the curl line for a new user. */
async function start(added: NodeJS.ProcessEnv = {}, ...words: string[]): Promise<Started> {
  const child = spawn(process.execPath, [MAIN, "start", ...words], {
    env: { ...env, ...added },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = await printedBy(child);
  const url = /is at (http:\S+)/.exec(printed)?.[1] ?? "";
  const key = /demo key\s+(\S+)/.exec(printed)?.[1] ?? "";
  return { child, printed, url, key };
}

/** A command on the same data folder, in this process. */
const tdf = async (...words: string[]) => (await runTdf(env, ...words)).out;

/** Processes of this data folder's own PostgreSQL, according to /proc. */
async function serversLeft(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return commands.filter((command) => command.includes("postgres") && command.includes(dataDir));
}

describe("start", { timeout: 180_000 }, () => {
  let firstKey: string;

  it("serves a demo from nothing, prints all that a new user needs, and Ctrl-C leaves no process", async () => {
    const service = await start();
    expect(await serversLeft()).not.toEqual([]);
    expect(service.printed).toContain(`${service.url}/docs`);
    // They led to port 0.
    expect((await fetch(/dashboard +(\S+)/.exec(service.printed)?.[1] ?? "")).status).toBe(200);
    const unknown = await fetch(`${service.url}/v1/nothing`);
    expect(((await unknown.json()) as { type: string }).type).toBe(`${service.url}/problems/not_found`);
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

  // The service ended, and PostgreSQL ran on.
  it("stops its PostgreSQL too when it is stopped before it serves", async () => {
    const child = spawn(process.execPath, [MAIN, "start"], {
      env: { ...env, DATA_DIR: path.join(dataDir, "stopped") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const complaints = text(child.stderr);
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
    expect(await complaints).toBe("");
    expect(await serversLeft()).toEqual([]);
  });

  it("keeps everything over a second start, answers every curl line of the README, and commands run beside it", async () => {
    const service = await start();
    expect(service.key).toBe(firstKey);
    expect(service.printed).not.toContain("Imported");
    const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
    const lines = /```sh\n(KEY=.+?)```/s.exec(readme)?.[1] ?? "";
    const script = lines
      .replace(/http:..127.0.0.1:\$\{PORT:-3000\}/, service.url)
      .replaceAll(".data/", `${dataDir}/`)
      .replaceAll("curl -s", "curl -sS --fail-with-body");
    const { stdout } = await run("bash", ["-e", "-u", "-o", "pipefail", "-c", script], { cwd: dataDir });
    expect(stdout).toMatch(/"code":"us_brokers".*"quota_rows":.*"added":1,.*"delivery_id":/s);
    expect(await readFile(path.join(dataDir, "small_carriers.csv"), "utf8")).toMatch(/,WA,/);
    // The demo is as clean as before: no endpoint that nobody answers, no company removed.
    const list = await fetch(`${service.url}/v1/webhooks`, { headers: { "X-API-Key": service.key } });
    expect(((await list.json()) as { data: unknown[] }).data).toEqual([]);
    const status = JSON.parse((await spawnTdf(env, "status", "--json")).out);
    expect(status.removals).toMatchObject({ businesses: 0 });
    expect(status.feeds.filter((feed: { state: string }) => feed.state === "fresh")).toHaveLength(5);
    const account = ["--name", "Acme", "--email", "a@acme.example", "--plan", "files", "--json"];
    const { id } = JSON.parse(await tdf("account", "create", ...account));
    const { key } = JSON.parse(await tdf("key", "create", "--account", String(id), "--json"));
    const answer = await fetch(`${service.url}/v1/feeds`, { headers: { "X-API-Key": key } });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      403,
      "plan_has_no_api_access",
    ]);
    await stop(service, "SIGKILL");
  });

  // npm sends the signal to the shell between us, which only ends itself.
  it("recovers from this kill -9 with all its data, and stops when npm gets a signal", async () => {
    const npm = spawn("npm", ["start"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const printed = await printedBy(npm);
    const url = /is at (http:\S+)/.exec(printed)?.[1] ?? "";
    expect((await readFeed(url, firstKey)).status).toBe(200);
    npm.kill("SIGTERM");
    await once(npm, "exit");
    while ((await serversLeft()).length > 0) await wait(100);
  });

  it("opens another demo account when the one before was closed", async () => {
    const before = await start();
    expect(await tdf("account", "close", "1", "--keep-data")).toContain("is closed");
    await stop(before, "SIGTERM");
    const service = await start();
    expect(service.key).not.toBe(firstKey);
    expect((await readFeed(service.url, service.key)).status).toBe(200);
    firstKey = service.key;
    // As when the terminal is closed. It ended at once, and left PostgreSQL running.
    expect(await stop(service, "SIGHUP")).toBe(0);
    expect(await serversLeft()).toEqual([]);
  });

  it("does not mix other files with the demo's, and replaces the demo on request", async () => {
    const dir = path.join(dataDir, "real");
    // The service has the real clock, and files older than five days are not served.
    const asOf = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const options = ["--carriers", "500", "--seed", "9", "--as-of", asOf];
    expect(await spawnTdf(env, "registry", "generate", "--out", dir, ...options)).toMatchObject({
      status: 0,
    });
    const folder = path.join(dir, "day-00");
    expect(await runTdf(env, "import", "--dir", folder)).toMatchObject({
      status: 2,
      err: expect.stringContaining("--replace-demo"),
    });
    const { out } = await spawnTdf(env, "import", "--dir", folder, "--replace-demo", "--json");
    expect(JSON.parse(out)).toMatchObject({ asOf, changes: { census: { deleted: 0 } } });
    const service = await start();
    expect(service.key).toBe("");
    // The keys of the demo still work, and so do others made beside it.
    expect(service.printed).not.toContain("No key yet");
    expect((await readFeed(service.url, firstKey)).status).toBe(200);
    expect(await stop(service, "SIGTERM")).toBe(0);
    expect(await serversLeft()).toEqual([]);
  });

  // The files that one imported were in the folder that the other deleted.
  it("makes one demo when two start at once", async () => {
    const database = await createTestDatabase();
    const own = {
      DATABASE_URL: database.url,
      DATA_DIR: path.join(dataDir, "two"),
      SECRETS_KEY: randomBytes(32).toString("base64"),
    };
    const both = await Promise.all([start(own, "--demo"), start(own, "--demo")]);
    expect(both.map(({ key }) => key)).toEqual([both[0].key, both[0].key]);
    expect((await readFeed(both[1].url, both[1].key)).status).toBe(200);
    await Promise.all(both.map((each) => stop(each, "SIGTERM")));
    await database.drop();
  });

  // It took info for warn, also where somebody had set it.
  it("logs at info when it is told to, and otherwise only warnings", async () => {
    const database = await createTestDatabase();
    const secrets = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString("base64") };
    const logOf = async (LOG_LEVEL: string) => {
      const { child } = await start({ ...secrets, LOG_LEVEL });
      let log = "";
      child.stderr?.on("data", (chunk) => {
        log += chunk;
      });
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
      return log;
    };
    expect(await logOf("info")).toContain("Stopping.");
    expect(await logOf("")).not.toContain("Stopping.");
    await database.drop();
  });

  it("says that there is no key yet", async () => {
    const database = await createTestDatabase();
    const service = await start({
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString("base64"),
    });
    expect(service.printed).toContain("No key yet");
    await stop(service, "SIGINT");
    await database.drop();
  });
});
