// The package as customers get it: installed from the service in a project of their own, with no registry within reach,
// compiled there under strict settings, and run against the service.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putEvents, setDetection } from "../../../test/support/events/events.ts";
import { feedRecord, publishFeed } from "../../../test/support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { AMPLE, numbersFrom, publishBrokers } from "./brokers.ts";

const PACKAGE = path.join(import.meta.dirname, "..");
const ROOT = path.join(PACKAGE, "../..");
const run = promisify(execFile);

let service: TestService;
let folder: string;
beforeAll(async () => {
  // What the service hands out has to be of these sources.
  await run(process.execPath, ["scripts/generate.ts"], { cwd: ROOT });
  service = await startTestService();
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "tdf-sdk-")));
  const manifest = { name: "consumer", private: true, type: "module" };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  await copyFile(path.join(import.meta.dirname, "consumer/consumer.ts"), path.join(folder, "consumer.ts"));
  await writeFile(path.join(folder, "readme.ts"), await readmeProgram());
  const newest = `${service.url}/sdk/trucking-data-feed-sdk-latest.tgz`;
  const flags = ["--registry", "http://127.0.0.1:1", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", "--prefix", folder, ...flags, newest], { cwd: folder });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const manifestOf = async (place: string) =>
  JSON.parse(await readFile(path.join(place, "package.json"), "utf8")) as Record<string, unknown>;

/** The README's code as one program, with what it leaves to its reader. */
async function readmeProgram(): Promise<string> {
  const readme = await readFile(path.join(PACKAGE, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n(.+?)```/gs)].map(([, code]) => code);
  const receiver = blocks.pop();
  if (receiver === undefined || blocks.length === 0)
    throw new Error("The README has blocks of calls, then one that receives a delivery.");
  const [imports, ...statements] = receiver.split("\n");
  return `${imports}
    ${blocks.join("")}
    declare function load(): Promise<string | null>;
    declare function save(cursor: string | null): Promise<void>;
    declare function handle(event: { id: number }): Promise<void>;
    export async function receive(request: { headers: Record<string, string | undefined> }, body: string) {
      ${statements.join("\n")}
    }`;
}

/** The compiler's complaints about the customer's program, the README's code and the declarations of the package. */
function complaints(
  resolution: ts.CompilerOptions,
  emits = false,
  names = ["consumer.ts", "readme.ts"],
): string[] {
  const programs = names.map((name) => path.join(folder, name));
  const program = ts.createProgram(programs, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    types: ["node"],
    typeRoots: [path.join(ROOT, "node_modules/@types")],
    noEmit: !emits,
    ...resolution,
  });
  if (emits) program.emit();
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const about = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  const text = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, " ");
  expect(files.length).toBeGreaterThan(5);
  return [...program.getOptionsDiagnostics(), ...about].map(
    (each) => `${each.file?.fileName}: ${text(each)}`,
  );
}

describe("the packed SDK", () => {
  it("has the project's version, no dependencies, and only what customers need", async () => {
    const [own, project] = await Promise.all([manifestOf(PACKAGE), manifestOf(ROOT)]);
    expect(own.version).toBe(project.version);
    expect([own.dependencies, own.peerDependencies, own.optionalDependencies]).toEqual(
      Array(3).fill(undefined),
    );
    const installed = path.join(folder, "node_modules/@trucking-data-feed/sdk");
    const names = (await readdir(installed, { recursive: true })).map((name) =>
      name.split(path.sep).join("/"),
    );
    expect(names).toEqual(expect.arrayContaining(["README.md", "dist/index.js", "dist/index.d.ts"]));
    const isNeeded = (name: string) => /^(dist(\/.+)?|README\.md|package\.json)$/.test(name);
    expect(names.filter((name) => !isNeeded(name))).toEqual([]);
  });

  it("compiles in a strict project that resolves modules as bundlers do", () => {
    const bundler = {
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    expect(complaints(bundler)).toEqual([]);
  });

  it("compiles in a strict project that resolves modules as Node does", () => {
    expect(complaints({ module: ts.ModuleKind.NodeNext }, true)).toEqual([]);
  });

  it("compiles in a worker, which has no types of Node, as far as receivers need it", async () => {
    const receiver = `import { verifyWebhook } from "@trucking-data-feed/sdk/webhooks";
      export const receive = async (request: Request, secret: string): Promise<string> => {
        const [header, body] = [request.headers.get("service-signature"), await request.arrayBuffer()];
        return (await verifyWebhook({ header, body, secret })).id;
      };`;
    await writeFile(path.join(folder, "worker.ts"), receiver);
    const worker = { lib: ["lib.es2022.d.ts", "lib.webworker.d.ts"], types: [] };
    expect(complaints({ module: ts.ModuleKind.NodeNext, ...worker }, false, ["worker.ts"])).toEqual([]);
  });

  describe("installed in a project", () => {
    beforeAll(async () => {
      const { context, clock } = service;
      await publishBrokers(service, numbersFrom(4_400_000, 25));
      const carriers = [3, 5, 8].map((power_units, index) => ({ power_units, dot_number: `430000${index}` }));
      await publishFeed(context.db, "us_new_authority_weekly", {
        records: carriers.map((carrier) => feedRecord("us_new_authority_weekly", carrier)),
        asOf: "2026-11-20",
        now: clock.now(),
      });
      await setDetection(context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
      await putEvents(context.db, [{}, { type: "reinstated" }]);
    });

    it("works against the service", async () => {
      const { key } = await service.createAccount(AMPLE);
      const given = JSON.stringify({ apiKey: key, baseUrl: service.url });
      const { stdout } = await run(process.execPath, [path.join(folder, "consumer.js"), given]);
      expect(JSON.parse(stdout)).toEqual({
        brokers: 10,
        kinds: ["broker"],
        trucks: [3, 5],
        hasCsv: true,
        fileName: "us_brokers_2026-11-20.csv",
        told: [25, 0, 100_000_000, "number", "string", "freight_forwarder"],
        exportedStates: ["CA"],
        entityType: ["broker"],
        types: ["reinstated"],
        sizes: { us_brokers: 25 },
        refused: "too_old",
        failure: "invalid_api_key",
      });
    });
  });
});
