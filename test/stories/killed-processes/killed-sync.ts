// Copies that customers keep with the SDKs, by the examples. The processes are killed at random moments,
// while versions are published and businesses are removed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect } from "vitest";
import { pythonWheel } from "../../../scripts/generate/packages/wheel.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { removeBusinesses } from "../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { SOURCE_CONDITION } from "../../support/webhooks/example-receiver.ts";

const FEED = "us_brokers";
const STATES = ["TX", "CA", "NY"];
const ROOT = path.join(import.meta.dirname, "../../..");
const EXAMPLES = path.join(ROOT, "examples");

const PROGRAMS: Readonly<Record<string, string[]>> = {
  "the SDK": [
    process.execPath,
    SOURCE_CONDITION,
    path.join(EXAMPLES, "reader-typescript/sync-feed.ts"),
    FEED,
  ],
  Python: ["python3", path.join(EXAMPLES, "sync-python/sync.py"), FEED],
};

type Plain = Record<string, unknown>;

/** Kills each program so many times, and expects its copy to equal the feed in the end. */
export async function expectCopiesSurvive({ seed, kills }: { seed: number; kills: number }): Promise<void> {
  const service = await startTestService();
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-copies-"));
  try {
    const random = createRandom(seed, 0, 0);
    await writeFile(path.join(folder, "package.whl"), await pythonWheel(ROOT));
    const { key } = await service.createAccount({
      feeds: { [FEED]: null },
      rowsPerMonth: 1e9,
      requestsPerMinute: 1e6,
    });
    const world = changingFeed(service, random);
    await world.publish();
    for (const [name, command] of Object.entries(PROGRAMS)) {
      const PYTHONPATH = path.join(folder, "package.whl");
      const env = {
        ...process.env,
        PYTHONPATH,
        TDF_KEY: key,
        TDF_URL: service.url,
        FOLDER: path.join(folder, name),
      };
      const [program = "", ...words] = command;
      await run(program, words, env);
      await world.change();
      await storePages(service, key, env.FOLDER);
      await world.change();
      expect(await run(program, words, env), name).toEqual({ code: 0, error: "" });
      await expectWholeCopy(service, key, name, env.FOLDER);
      for (let kill = 0; kill < kills; kill++) {
        await world.change();
        await run(program, words, env, random.between(0, 400));
      }
      const { code, error } = await run(program, words, env);
      expect({ code, error }, name).toEqual({ code: 0, error: "" });
      await expectWholeCopy(service, key, name, env.FOLDER);
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a run leaves that is killed when it has read all changes and not written the copy yet. */
async function storePages(service: TestService, key: string, folder: string): Promise<void> {
  const [head = "{}"] = await copyLines(folder);
  const { version, removals, filters } = JSON.parse(head) as {
    version: number;
    removals: number;
    filters: Plain;
  };
  const since = `since_version=${version}&since_removals=${removals}`;
  const answer = await service.get(`/v1/feeds/${FEED}/changes?${since}&limit=1000`, key);
  const page = (await answer.json()) as Plain;
  expect(page.next_cursor).toBeNull();
  const lines = [{ since: version, removals, filters }, page].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(path.join(folder, `${FEED}.changes`), lines.join(""));
}

const copyLines = async (folder: string): Promise<string[]> =>
  (await readFile(path.join(folder, `${FEED}.ndjson`), "utf8")).trim().split("\n");

async function expectWholeCopy(service: TestService, key: string, name: string, folder: string) {
  const copy = (await copyLines(folder)).slice(1).map((line) => JSON.parse(line) as Plain);
  expect(byId(copy), name).toEqual(byId(await wholeFeed(service, key)));
}

/** Runs a program, killed after `killAfterMs` if that is given. */
async function run(program: string, words: string[], env: NodeJS.ProcessEnv, killAfterMs?: number) {
  const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  let error = "";
  child.stderr.on("data", (chunk: Buffer) => {
    error += chunk;
  });
  const closed = once(child, "close");
  if (killAfterMs !== undefined) {
    await Promise.race([wait(killAfterMs), closed]);
    child.kill("SIGKILL");
  }
  const [code] = await closed;
  return { code: code as number | null, error };
}

function changingFeed(service: TestService, random: ReturnType<typeof createRandom>) {
  const companies = new Map<number, { company: string; state: string }>();
  let next = 4_400_000;
  let published = 0;
  const add = () => companies.set(next++, { company: `BROKER ${next}`, state: random.pick(STATES) });
  for (let at = 0; at < 1_500; at++) add();
  const publish = async () => {
    service.clock.advance(60_000);
    const day = 18 + (published++ % 4);
    const asOf = `2026-11-${day}`;
    const records = [...companies].map(([dot, company]) => {
      const [isLegacy, isGranted] = [dot % 2 === 0, dot % 3 === 0];
      return {
        ...feedRecord(FEED, {
          dot_number: String(dot),
          ...company,
          status_source: isLegacy ? "legacy" : "motus",
          authority_granted: isGranted ? "2026-11-01" : null,
        }),
        last_verified: isLegacy ? "2026-05-14" : asOf,
        days_in_business: isGranted ? day - 1 : null,
      };
    });
    await publishFeed(service.context.db, FEED, { records, asOf, now: service.clock.now() });
  };
  const change = async () => {
    for (const [dot, company] of companies) {
      if (random.chance(0.02)) companies.delete(dot);
      if (random.chance(0.02)) company.state = random.pick(STATES);
    }
    for (let at = 0; at < 20; at++) add();
    const removed = random.pick([...companies.keys()]);
    if (random.chance(0.5)) await removeBusinesses(service.context.db, [removed], service.clock.now());
    companies.delete(removed);
    await publish();
  };
  return { publish, change };
}

async function wholeFeed(service: TestService, key: string): Promise<Plain[]> {
  const records: Plain[] = [];
  for (let page = 1, hasMore = true; hasMore; page++) {
    const answer = await service.get(`/v1/feeds/${FEED}/records?page_size=1000&page=${page}`, key);
    const body = (await answer.json()) as { data: Plain[]; has_more: boolean };
    records.push(...body.data);
    hasMore = body.has_more;
  }
  return records;
}

const byId = (records: readonly Plain[]): Plain[] =>
  [...records].sort((a, b) => String(a.record_id).localeCompare(String(b.record_id)));
