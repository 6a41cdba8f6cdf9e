import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPortal, type Portal, serve } from "../../support/network/download-portal.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";

let dir: string;
let portal: Portal;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "tdf-download-cli-"));
  portal = await openPortal(serve("DOCKET_NUMBER\nMC1\n"));
});
afterAll(async () => {
  await portal.close();
  await rm(dir, { recursive: true, force: true });
});

/** The output of `tdf registry download` on each stream, and its exit status. */
const download = (env: Record<string, string>, ...words: string[]): Promise<Printed> =>
  runTdf(env, "registry", "download", ...words);

it("fetches from REGISTRY_URL, with a line per file and a table of the results", async () => {
  const env = { REGISTRY_URL: portal.url };
  const first = await download(env, "--out", dir, "--only", "census", "motus_carrier", "--json");
  expect(first.err).toBe("fetching motus_carrier.csv …\nfetching census.csv …\n");
  expect(JSON.parse(first.out)).toMatchObject([
    { dataset: "motus_carrier", outcome: "fetched", sizeBytes: 18 },
    { dataset: "census", id: "az4n-8mr2", file: "census.csv" },
  ]);
  expect(await readFile(path.join(dir, "census.csv"), "utf8")).toBe("DOCKET_NUMBER\nMC1\n");
  const second = await download(env, "--out", dir, "--only", "census");
  expect(second.out).toBe("file        id         bytes\ncensus.csv  az4n-8mr2     18  unchanged\n");
});

it.each([
  [{ REGISTRY_URL: "http://portal.example" }, [], /REGISTRY_URL must be an https address/],
  [{}, ["--out", ""], /^--out is empty: name a folder\.\n$/],
  [{}, ["--only", "boc3"], /^There is no file boc3/],
])("refuses %o %j with one sentence", async (env, words, sentence) => {
  const { err, status } = await download(env, "--out", dir, ...words);
  expect(status).toBe(2);
  expect(err).toMatch(sentence);
});
