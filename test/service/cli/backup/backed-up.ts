import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { importFolder } from "../../../../src/importer/import.ts";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { requireSecretsKey } from "../../../../src/platform/installation/installation.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { dump } from "../../../support/database/dump.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
import { EVERYTHING, FEED_CODES } from "../../../support/feeds/served-feeds.ts";
import { type Printed, runTdf } from "../../../support/processes/command.ts";
import { type RegistryFolders, registryFolders } from "../../../support/registry/registry-folders.ts";
import { optOut } from "../../../support/removals/opt-outs.ts";
import { TEST_SECRETS_KEY } from "../../../support/secrets.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

/** A business that is in no feed. */
export const OTHER = 9_000_001;

export const ENV = { TRUST_PROXY_HOPS: "1" };

export let database: TestDatabase;
let registry: RegistryFolders;
export let folder: string;
export let file: string;
export let key: string;
/** As the service gave them before the backup, by feed. */
export let exportsBefore: Map<string, string>;
export let dumpBefore: Record<string, unknown>;
export let rulesBefore: unknown[];
/** A business of a feed that is removed after the backup. */
export let removed: string;

/** A command on the named database, or with another environment. */
export const tdf = (...words: string[]): Promise<Printed> => tdfOn({ DATABASE_URL: database.url }, ...words);

export const tdfOn = (env: NodeJS.ProcessEnv, ...words: string[]): Promise<Printed> =>
  runTdf({ ...settings(), ...env }, ...words);

export const settings = () => ({ DATA_DIR: path.join(folder, "data"), SECRETS_KEY: TEST_SECRETS_KEY });

export async function exportsOf(service: TestService): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const feed of FEED_CODES) {
    const answer = await service.get(`/v1/feeds/${feed}/export.csv`, key);
    expect(answer.status).toBe(200);
    texts.set(feed, await answer.text());
  }
  return texts;
}

export async function onService<T>(run: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startTestService({ databaseUrl: database.url, env: ENV });
  return run(service).finally(service.stop);
}

/** The numbers of the businesses that events are of. */
export async function eventsOf(service: TestService): Promise<string[]> {
  const answer = await service.get("/v1/events?limit=1000", key);
  const { data } = (await answer.json()) as { data: { usdot: string }[] };
  return data.map(({ usdot }) => usdot);
}

export const rowsOf = (csv = ""): string[] => csv.split("\r\n");

export const usdotsIn = (csv = ""): string[] => {
  const [heading = "", ...rows] = rowsOf(csv).filter((row) => row !== "");
  const at = heading.split(",").indexOf("dot_number");
  // No cell before the number is quoted.
  return rows.map((row) => row.split(",")[at] ?? "");
};

export async function dumpOf(url: string): Promise<Record<string, unknown>> {
  const db = await openDatabase({ url, log: createLog("silent") });
  try {
    return await dump(db);
  } finally {
    await db.close();
  }
}

export async function connected<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return run(client).finally(() => client.end());
}

export const query = (sql: string): Promise<pg.QueryResult> => connected((client) => client.query(sql));

/** Constraints, indexes, and triggers with whether they are on. */
export const rules = async (): Promise<unknown[]> =>
  (
    await query(`
      SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid > 0
      UNION ALL SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid > 16384
      UNION ALL SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      ORDER BY 1, 2`)
  ).rows.filter(({ conrelid }) => !String(conrelid).startsWith("pg_toast"));

/** Everything that a restore brings back: not working tables, and not the ledger's times. */
export const kept = (dumped: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(dumped).filter(
      ([name]) =>
        !/^staging\.|_prisma_migrations|key_minute|export_slot|removal_client|sign_in_client|preview_day|dashboard_note|filed_contact|service_process/.test(
          name,
        ),
    ),
  );

/** A folder of one test file, for backups and the data of commands. */
export function useFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-backup-"));
    await chmod(folder, 0o755);
    file = path.join(folder, "backup.zst");
  });
  afterAll(() => rm(folder, { recursive: true }));
}

/** A database of one test file with feeds, a removal and events, and a backup of it. */
export function useBackup(): void {
  useFolder();
  beforeAll(async () => {
    database = await createTestDatabase();
    registry = await registryFolders({ carriers: 400, seed: 5, firstDay: "2026-11-19", days: 2 });
    const service = await startTestService({ databaseUrl: database.url, env: ENV });
    for (const day of [0, 1])
      await importFolder(service.context, { dir: registry.day(day), asOf: null, accept: new Set() });
    await requireSecretsKey(service.context);
    const account = await service.createAccount(EVERYTHING);
    key = account.key;
    const { id: endpointId } = await registerEndpoint(service.context, account.accountId);
    await putDelivery(service.context, { endpointId, status: "delivered" });
    await optOut(service.url, { usdot: "99999999" });
    exportsBefore = await exportsOf(service);
    removed = usdotsIn(exportsBefore.get("us_brokers"))[0] ?? "";
    expect(removed).toMatch(/^\d+$/);
    const detectedAt = "2026-11-21T11:00:00Z";
    await putEvents(
      service.context.db,
      [Number(removed), OTHER].map((usdot) => ({ usdot, state: null, detectedAt })),
    );
    expect(await eventsOf(service)).toEqual([removed, String(OTHER)]);
    await service.stop();
    dumpBefore = await dumpOf(database.url);
    rulesBefore = await rules();
    expect(await tdf("backup", file)).toMatchObject({ err: "", status: 0 });
  });
  afterAll(async () => {
    await registry.close();
    await database.drop();
  });
}
