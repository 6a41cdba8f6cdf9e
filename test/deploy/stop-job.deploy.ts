// The program of the chart's Job that stops everything before an upgrade, run against an API server that answers like that
// of Kubernetes.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rendered } from "./rendered.ts";

const IMPORTS = "/apis/batch/v1/namespaces/trucks/cronjobs/feed-import";
const scaleOf = (name: string) => `/apis/apps/v1/namespaces/trucks/deployments/feed-${name}/scale`;

const folder = mkdtempSync(path.join(tmpdir(), "stop-job-"));
const token = path.join(folder, "token");
let runningImports: object[] = [];
let changes: [string, object][] = [];

const cluster = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method === "PATCH")
    changes.push([request.url ?? "", JSON.parse(Buffer.concat(chunks).toString()).spec]);
  const isKnown = request.headers.authorization === "Bearer secret";
  const status = request.url === IMPORTS ? { active: runningImports } : { replicas: 0 };
  response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ status }));
});

beforeAll(async () => {
  writeFileSync(token, "secret");
  await new Promise<void>((resolve) => cluster.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  cluster.close();
  rmSync(folder, { recursive: true });
});

/** Runs the Job's program, which waits for no pods and finds this server and token; returns its exit code and errors. */
function run(): Promise<{ code: number; errors: string }> {
  const job = rendered("--is-upgrade", "--set=upgrade.stopsProcesses=true").find(
    ({ kind, metadata }) => kind === "Job" && metadata.name === "feed-stop",
  );
  const spec = job?.spec as { template: { spec: { containers: [{ command: string[] }] } } };
  const program = (spec.template.spec.containers[0].command.at(-1) as string)
    .replace("https://kubernetes.default.svc", `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`)
    .replace("/var/run/secrets/kubernetes.io/serviceaccount/token", token)
    .replace("wait(40_000)", "wait(0)");
  changes = [];
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "-e", program], (error, _, errors) =>
      resolve({ code: Number(error?.code ?? 0), errors }),
    );
  });
}

it("lets no import begin, then stops the servers and the dispatchers", async () => {
  runningImports = [];
  expect(await run()).toEqual({ code: 0, errors: "" });
  expect(changes).toEqual([
    [IMPORTS, { suspend: true }],
    [scaleOf("serve"), { replicas: 0 }],
    [scaleOf("dispatch"), { replicas: 0 }],
  ]);
});

it("stops nothing while an import runs", async () => {
  runningImports = [{ kind: "Job", name: "feed-import-1" }];
  const { code, errors } = await run();
  expect(code).toBe(1);
  expect(errors).toContain("An import runs, and nothing was stopped.");
  expect(changes).toEqual([
    [IMPORTS, { suspend: true }],
    [IMPORTS, { suspend: false }],
  ]);
});
