// openapi.yaml alone is enough to write a client: two generators from npm make one each. A customer's program compiles
// with it in strict TypeScript, and then works with the service.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilerComplaints } from "../support/compiler.ts";
import type { FeedRecord } from "../support/feeds/published-feed.ts";
import { generateClients } from "../support/generated-clients.ts";
import type { Report, Trial } from "./clients/report.ts";
import { CONTRACT_FILE } from "./prism/contract-document.ts";
import { SEEDED, type SeededService, startSeededService } from "./prism/seeded-service.ts";

const PROGRAMS = ["openapi-fetch", "hey-api"] as const;
const NODE_MODULES = path.join(path.dirname(CONTRACT_FILE), "node_modules");

let folder: string;
let service: SeededService;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-clients-"));
  await symlink(NODE_MODULES, path.join(folder, "node_modules"), "junction");
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  for (const name of [...PROGRAMS, "report"]) {
    await copyFile(path.join(import.meta.dirname, "clients", `${name}.ts`), path.join(folder, `${name}.ts`));
  }
  await generateClients(folder);
  service = await startSeededService();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function reportOf(program: string): Promise<Report> {
  const trial: Trial = {
    baseUrl: service.url,
    dot: service.facts.dot,
    keys: {
      customer: service.keys.customer,
      planWithoutApi: service.keys.plan_without_api,
      spentMinute: service.keys.spent_minute,
      spentQuota: service.keys.spent_quota,
    },
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(folder, `${program}.ts`), JSON.stringify(trial)],
    { timeout: 30_000 },
  );
  return JSON.parse(stdout) as Report;
}

/** The filters that both programs send at once. */
const isFilteredFor = ({ state, power_units, general_freight }: FeedRecord): boolean =>
  state === "TX" && Number(power_units) >= 1 && general_freight === true;

describe("clients made from openapi.yaml alone", () => {
  it("compile in strict TypeScript, and refuse what the contract refuses", () => {
    const programs = PROGRAMS.map((name) => path.join(folder, `${name}.ts`));
    expect(compilerComplaints(programs)).toEqual([]);
  });

  it.each(PROGRAMS)("work with the service: %s", async (program) => {
    const report = await reportOf(program);
    const records = SEEDED.us_new_authority_weekly;
    const dots = (some: typeof records) => some.map((record) => record.dot_number);
    const inTwoStates = dots(records.filter(({ state }) => state === "TX" || state === "CA"));
    expect(report).toMatchObject({
      feeds: [
        "us_new_authority_weekly",
        "us_small_carriers_active",
        "us_revocation_pending",
        "us_insurance_lapse_alerts",
        "us_brokers",
      ],
      walked: dots(records),
      byComma: inTwoStates,
      byRepeating: inTwoStates,
      filtered: dots(records.filter(isFilteredFor)),
      carrier: {
        usdot: service.facts.dot,
        feeds: ["us_new_authority_weekly", "us_small_carriers_active"],
        events: 0,
      },
      errors: [
        [401, "invalid_api_key"],
        [403, "plan_has_no_api_access"],
        [429, "rate_limited"],
        [429, "quota_exceeded"],
        [403, "not_entitled"],
        [403, "feed_not_live"],
        [503, "stale_source"],
        [400, "invalid_filter"],
        [422, "query page"],
        [404, "not_found"],
      ],
      webhook: { eventTypes: ["reinstated"], test: "queued", isRotated: true, isActiveAtLast: false },
    });
    expect(new Set(report.entityTypes)).toEqual(new Set(["broker"]));
    // The header line, a line per record, and nothing after the last line end.
    expect(report.csvLines).toHaveLength(records.length + 2);
    expect(report.csvLines[0]).toMatch(/^company,.*,licence_ref$/);
    expect(report.rowsUsed).toBeGreaterThanOrEqual(records.length * 2);
  });
});
