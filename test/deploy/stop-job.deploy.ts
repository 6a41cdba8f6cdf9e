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
const JOBS = "/apis/batch/v1/namespaces/trucks/jobs";
const PODS = "/api/v1/namespaces/trucks/pods";
const scaleOf = (name: string) => `/apis/apps/v1/namespaces/trucks/deployments/feed-${name}/scale`;

const LABELS =
  "app.kubernetes.io/name=trucking-data-feed,app.kubernetes.io/instance=feed,app.kubernetes.io/component=import";

const folder = mkdtempSync(path.join(tmpdir(), "stop-job-"));
const token = path.join(folder, "token");
/** Phases of the pods of imports, and the last condition of each Job, its owner first. */
let phases: string[] = [];
let jobs: [owner: string, condition: string | null][] = [];
let isSuspended = false;
let changes: [string, object][] = [];

const cluster = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method === "PATCH")
    changes.push([request.url ?? "", JSON.parse(Buffer.concat(chunks).toString()).spec]);
  const isKnown = request.headers.authorization === "Bearer secret";
  const { pathname, searchParams } = new URL(request.url ?? "", "http://cluster");
  const isOfImports = searchParams.get("labelSelector") === LABELS;
  const answers: Record<string, object> = {
    [IMPORTS]: { spec: { suspend: isSuspended }, status: {} },
    [JOBS]: {
      items: jobs.map(([name, type]) => ({
        metadata: { ownerReferences: [{ name }] },
        status: { conditions: type === null ? [] : [{ type, status: "True" }] },
      })),
    },
    [PODS]: { items: isOfImports ? phases.map((phase) => ({ status: { phase } })) : [] },
  };
  const answer = answers[pathname] ?? { status: { replicas: 0 } };
  response.writeHead(isKnown ? 200 : 401).end(JSON.stringify(answer));
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
    .replace("wait(5000)", "wait(0)")
    .replace("wait(40_000)", "wait(0)");
  changes = [];
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "-e", program], (error, _, errors) =>
      resolve({ code: Number(error?.code ?? 0), errors }),
    );
  });
}

it("lets no import begin, then stops the servers and the dispatchers", async () => {
  phases = ["Succeeded", "Failed"];
  jobs = [
    ["feed-import", "Complete"],
    ["feed-import", "Failed"],
    ["another", null],
  ];
  expect(await run()).toEqual({ code: 0, errors: "" });
  expect(changes).toEqual([
    [IMPORTS, { suspend: true }],
    [scaleOf("serve"), { replicas: 0 }],
    [scaleOf("dispatch"), { replicas: 0 }],
  ]);
});

// The CronJob lists only the Jobs that it started itself, not those of a person.
it.each([
  ["runs", "Running", "Complete", false],
  ["begins", "Pending", "Complete", false],
  ["waits to be tried again", "Failed", null, false],
  // A chart that is stopped stays so.
  ["runs although they are suspended", "Running", null, true],
])("stops nothing while an import %s", async (_, phase, condition, before) => {
  [phases, jobs, isSuspended] = [["Succeeded", phase], [["feed-import", condition]], before];
  const { code, errors } = await run();
  expect(code).toBe(1);
  expect(errors).toContain("An import runs, and nothing was stopped.");
  expect(changes).toEqual([
    [IMPORTS, { suspend: true }],
    [IMPORTS, { suspend: before }],
  ]);
});
