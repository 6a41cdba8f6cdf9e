import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { downloadRegistry, FULL_FILES } from "../../../src/importer/download/download.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { openPortal, type Portal, serve } from "../../support/network/download-portal.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let folder: string;
let service: TestService;
let portal: Portal;
let key: string;
/** The portal's current timestamp and ETag of its files. */
let offered = { etag: '"one"', modified: "Thu, 20 Nov 2026 10:43:00 GMT" };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-freshness-"));
  service = await startTestService({ clock: settableClock("2026-11-20T18:00:00Z") });
  ({ key } = await service.createAccount({ feeds: { us_brokers: null } }));
  const made = path.join(folder, "made");
  const [day] = await generateRegistry({
    outDir: made,
    carriers: 1_000,
    seed: 4,
    firstDay: "2026-11-20",
    days: 1,
  });
  const texts = new Map<string, string>();
  for (const name of await readdir(day?.dir ?? "")) {
    const file = FULL_FILES.find(({ dataset }) => dataset === path.parse(name).name);
    if (file) texts.set(file.id, await readFile(path.join(day?.dir ?? "", name), "latin1"));
  }
  portal = await openPortal((request, response, received) => {
    const text = texts.get(request.url?.split("/")[3] ?? "");
    if (text === undefined) return void response.writeHead(404).end();
    const headers = { "last-modified": offered.modified };
    return serve(Buffer.from(text, "latin1"), offered.etag, headers)(request, response, received);
  });
  datasets = FULL_FILES.filter(({ id }) => texts.has(id)).map(({ dataset }) => dataset);
});

let datasets: string[];

afterAll(async () => {
  await portal.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const fetchAndImport = async () => {
  const outDir = path.join(folder, "registry");
  const files = await downloadRegistry({ outDir, portalUrls: [portal.url], only: datasets });
  const report = await importFolder(service.context, { dir: outDir, asOf: null, accept: new Set() });
  return { outcomes: new Set(files.map(({ outcome }) => outcome)), report };
};

const brokers = () => service.get("/v1/feeds/us_brokers/records?page_size=1", key);

// Legacy files and, on a quiet day, live ones are published each night with a new timestamp.
it("does not treat old rows with a new timestamp as new", async () => {
  const first = await fetchAndImport();
  expect(first.outcomes).toEqual(new Set(["fetched"]));
  expect((await brokers()).status).toBe(200);

  service.clock.set("2026-11-27T12:00:00Z");
  offered = { etag: '"two"', modified: "Fri, 27 Nov 2026 10:43:00 GMT" };
  const second = await fetchAndImport();
  expect(second.outcomes).toEqual(new Set(["fetched"]));
  expect(second.report.asOf).toBe(first.report.asOf);
  expect(second.report.feeds.every((feed) => !feed.isNew)).toBe(true);
  const answer = await brokers();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "stale_source" });
});
