// The packages and the examples that the service hands out, fetched and installed as a customer does.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleFiles } from "../../../../scripts/generate/packages/example-files.ts";
import { PACKAGES } from "../../../../scripts/generate/packages/packages.ts";
import { examples, packages } from "../../../../src/generated/downloads.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");
const run = promisify(execFile);
const manifestIn = async (place: string) =>
  JSON.parse(await readFile(path.join(place, "package.json"), "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-downloads-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const bytesOf = async (address: string) => Buffer.from(await (await service.get(address)).arrayBuffer());

describe.each(packages.map((each, index) => ({ ...each, source: PACKAGES[index] })))("$path", (each) => {
  it("is a file with its type, size and tag, and the project's version in its name", async () => {
    expect(each.path).toContain((await manifestIn(ROOT)).version);
    const answer = await service.get(each.path, undefined, { "Accept-Encoding": "gzip, br" });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": each.mediaType,
      "cache-control": "public, max-age=3600",
      etag: expect.stringMatching(/^"[\w-]{20,}"$/),
    });
    expect(answer.headers.get("content-encoding")).toBeNull();
    const { byteLength } = await answer.arrayBuffer();
    expect(Number(answer.headers.get("content-length"))).toBe(byteLength);
  });

  it("is 304 for a client that has it; HEAD tells the same as GET", async () => {
    const { headers } = await service.get(each.path);
    const tag = headers.get("etag") ?? "";
    const again = await service.get(each.path, undefined, { "If-None-Match": tag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
    const head = await service.send("HEAD", each.path);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(headers.get("content-length"));
  });

  it("is where the address of the newest version leads", async () => {
    const answer = await service.get(each.latest);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, each.path]);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
  });

  it("has the same bytes each time it is made", async () => {
    expect((await each.source?.make(ROOT))?.equals(await bytesOf(each.path))).toBe(true);
  });

  it("is on the guide's page with its command", async () => {
    const { publicUrl } = service.context.config;
    const command = each.command.replace("URL", `${publicUrl}${each.path}`);
    for (const page of ["/docs/sdk.md", "/docs.md"])
      expect(await (await service.get(page)).text()).toContain(`\n${command}\n`);
  });
});

it("a version that this service does not have is not found, with the one it has", async () => {
  const answer = await service.get("/sdk/trucking-data-feed-sdk-0.9.0.tgz");
  const problem = (await answer.json()) as { code: string; detail: string };
  expect([answer.status, problem.code]).toEqual([404, "not_found"]);
  expect(problem.detail).toContain(packages[0]?.path);
  expect(problem.detail).toContain("/docs/sdk");
});

const EXAMPLE_FILES = examples.flatMap(({ folder: place, files }) => files.map((name) => `${place}/${name}`));

describe("the examples", () => {
  it.each(["README.md", ...EXAMPLE_FILES])("%s is served as the text that it is", async (name) => {
    const answer = await service.get(`/examples/${name}`);
    expect(answer.status).toBe(200);
    const type = name.endsWith(".md") ? "text/markdown" : "text/plain";
    expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(await answer.text()).toBe(await readFile(path.join(ROOT, "examples", name), "utf8"));
  });

  it("are all there and all linked in the guide", async () => {
    const names = await readdir(path.join(ROOT, "examples"), { recursive: true });
    const programs = names.filter((name) => /^[^/]+\/[^/]+\.(ts|py)$/.test(name));
    expect(programs.length).toBeGreaterThan(8);
    expect(EXAMPLE_FILES).toEqual(expect.arrayContaining(programs));
    const guide = await (await service.get("/docs/sdk")).text();
    for (const name of EXAMPLE_FILES) expect(guide).toContain(`href="/examples/${name}"`);
    const listing = await service.get("/examples");
    expect([listing.status, listing.headers.get("location")]).toEqual([302, "/docs/sdk#examples"]);
  });

  it("are programs alone: what somebody left beside them is not handed out", async () => {
    const checkout = path.join(folder, "checkout");
    const receiver = path.join(checkout, "examples/receiver-typescript");
    await mkdir(path.join(receiver, "node_modules/some"), { recursive: true });
    for (const name of ["receiver.ts", "key.pem", "events.jsonl", ".env", "node_modules/some/index.ts"])
      await writeFile(path.join(receiver, name), "");
    expect(exampleFiles(checkout)).toEqual(["receiver-typescript/receiver.ts"]);
  });

  it("are files to run: unpacked, with the SDK installed from this service, a reader starts", async () => {
    const sdk = packages[0];
    const archive = packages.find(({ path }) => path.includes("examples"));
    const unpacked = `curl -sSf ${service.url}${archive?.path} | tar xz`;
    await run("sh", ["-c", unpacked], { cwd: folder });
    const reader = path.join(folder, "trucking-data-feed-examples/reader-typescript");
    // Nothing is asked of a registry.
    const flags = ["--registry", "http://127.0.0.1:1", "--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", ["install", ...flags, `${service.url}${sdk?.path}`], { cwd: reader });
    expect((await manifestIn(reader)).dependencies["@trucking-data-feed/sdk"]).toBe(
      `${service.url}${sdk?.path}`,
    );
    const env = { ...process.env, TDF_KEY: "wrong", TDF_URL: service.url };
    await expect(run(process.execPath, ["read-records.ts"], { cwd: reader, env })).rejects.toMatchObject({
      stderr: expect.stringContaining("invalid_api_key"),
    });
    const programs = (await readdir(reader)).filter((name) => /^(?!settings).*\.ts$/.test(name));
    expect(programs).toHaveLength(5);
    for (const program of programs) {
      const keyless = { ...env, TDF_KEY: "" };
      await expect(run(process.execPath, [program], { cwd: reader, env: keyless })).rejects.toMatchObject({
        code: 1,
        stderr: "Set TDF_KEY to your key; the demo's is in .data/demo.key.\n",
      });
    }
  });
});
