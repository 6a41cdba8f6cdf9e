import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPortal, type Portal, serve } from "../../support/network/download-portal.ts";
import { MAIN, type Printed, runTdf } from "../../support/processes/command.ts";

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

// The lock of the folder could not be made, and the operator got a stack with exit status 1.
it.skipIf(!existsSync("/proc/self"))(
  "says in a sentence that nothing can be written into a folder",
  async () => {
    const { err, status } = await download({ REGISTRY_URL: portal.url }, "--out", "/proc/self");
    expect(err).toMatch(/^Could not write into \/proc\/self \(E[A-Z]+\): choose a folder [^\n]*--out\.\n$/);
    expect(status).toBe(2);
  },
);

// It was taken for a broken connection, and fetched nine times.
it("says at once that a file is too large for its disk", async () => {
  const large = await openPortal(serve(`DOCKET_NUMBER\n${"MC1\n".repeat(1000)}`));
  const words = [MAIN, "registry", "download", "--out", path.join(dir, "small"), "--only", "census"];
  const limited = ["-c", 'ulimit -f 1; exec "$@"', "sh", process.execPath, ...words];
  const env = { ...process.env, REGISTRY_URL: large.url };
  const { code, stderr } = await promisify(execFile)("sh", limited, { env }).catch((error) => error);
  await large.close();
  expect(stderr).toMatch(/census\.csv \(az4n-8mr2\): could not write into .*small \(EFBIG\); make room/);
  expect(code).toBe(2);
});
