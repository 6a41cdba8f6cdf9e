// The chart, as Helm renders it, against the schemas of Kubernetes and of the operators that it uses.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import { STOP_CLOSE_MS, STOP_GRACE_MS, STOP_NOTICE_MS } from "../../src/cli/service/stop-signal.ts";
import { compilerComplaints } from "../support/compiler.ts";
import { type KubernetesObject, lint, rendered } from "./rendered.ts";

const HERE = import.meta.dirname;
/** Cut out of the CRDs of CloudNativePG 1.30 and its Barman Cloud plugin 0.14: the specs, as far as the chart fills them. */
const OPERATORS = path.join(HERE, "../fixtures/kubernetes/operators.json");
const operators = JSON.parse(readFileSync(OPERATORS, "utf8")) as Record<string, object>;
const ajv = new Ajv2020({ strict: false, allErrors: true });

const BACKUP = [
  "--set=database.backup.enabled=true",
  "--set=database.backup.destinationPath=s3://backups/feed",
  "--set=database.backup.secretName=object-store",
];
const ALERTS = path.join(HERE, "alerts.yaml");
const EVERYTHING = [
  ...BACKUP,
  "--is-upgrade",
  "--set=upgrade.stopsProcesses=true",
  "--set=image.pullSecrets={registry}",
  "--set=privateCa.configMapName=authorities",
  "--set=nodeSelector.pool=feed",
  '--set-json=tolerations=[{"key":"feed","operator":"Exists"}]',
  "--set=database.backup.endpointUrl=https://store.example.com",
  "--set=database.recovery.serverName=feed-database",
  "--set=database.recovery.targetTime=2026-11-20T10:00:00Z",
  "--set=database.backup.serverName=feed-database-2",
  "--set=ingress.enabled=true",
  "--set=import.accept={row_count}",
  "--set=monitoring.enabled=true",
  "--set=monitoring.labels.release=prometheus",
  `--set-file=monitoring.rules=${ALERTS}`,
];
const OWN_DATABASE = [
  "--set=database.enabled=false",
  "--set=database.secretName=database",
  '--set-json=networkPolicy.egress=[{"to":[{"ipBlock":{"cidr":"10.1.0.0/24"}}],"ports":[{"port":5432}]}]',
];

writeFileSync(
  ALERTS,
  "groups:\n  - name: feed\n    rules:\n      - alert: Down\n        expr: up == 0\n        for: 5m\n        annotations: { summary: '{{ $labels.pod }} is down' }\n",
);
const GENERATED = path.join(HERE, "generated.ts");
afterAll(() => {
  for (const file of [ALERTS, GENERATED]) rmSync(file, { force: true });
});

const isOfOperator = ({ apiVersion, kind }: KubernetesObject) => `${apiVersion}/${kind}` in operators;

const moduleOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `${apiVersion.startsWith("monitoring") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models"}/${apiVersion}/${kind}`;

/** What is wrong with an object: its types, what it lacks. */
async function faultsOf(object: KubernetesObject): Promise<string[]> {
  const name = `${object.kind} ${object.metadata.name}`;
  if (isOfOperator(object)) {
    const isRight = ajv.validate(operators[`${object.apiVersion}/${object.kind}`] as object, object.spec);
    return isRight ? [] : [`${name}: ${ajv.errorsText()}`];
  }
  const models = await import(moduleOf(object));
  try {
    new models[object.kind](object).validate();
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

/** What the compiler says about objects: above all, names that Kubernetes does not know. */
function unknownNames(objects: readonly KubernetesObject[]): string[] {
  const known = objects.filter((object) => !isOfOperator(object));
  const lines = known.map(
    (object, index) =>
      `import type { I${object.kind} as T${index} } from "${moduleOf(object)}";\n${JSON.stringify(object)} satisfies T${index};`,
  );
  writeFileSync(
    GENERATED,
    lines.join("\n").replaceAll("\n{", "\n;({").replaceAll("} satisfies", "}) satisfies"),
  );
  return compilerComplaints([GENERATED]);
}

describe.each([
  ["as it is", []],
  ["with everything, as an upgrade", EVERYTHING],
  ["with a database of one's own", OWN_DATABASE],
  ["that is stopped", ["--set=stopped=true"]],
])("the chart %s", (_, options) => {
  const objects = rendered(...options);

  it("is what Kubernetes and its operators take", async () => {
    expect(objects.length).toBeGreaterThan(7);
    expect((await Promise.all(objects.map(faultsOf))).flat()).toEqual([]);
  });

  it("has no name that they don't know", () => expect(unknownNames(objects)).toEqual([]));

  it("gives each name once", () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

it("the schemas find a wrong value and a wrong name", async () => {
  const [first] = rendered().filter(({ kind }) => kind === "Deployment");
  const wrong = { ...first, spec: { ...first?.spec, replicas: "two", replica: 2 } } as KubernetesObject;
  expect(await faultsOf(wrong)).toHaveLength(1);
  expect(unknownNames([wrong]).join()).toMatch(/'replica' does not exist|not assignable/);
});

it("Helm finds nothing to say", () => expect(lint()).toContain("0 chart(s) failed"));

it("an upgrade stops the processes, then migrates, and says how many come back", () => {
  const objects = rendered(...EVERYTHING);
  const hooks = objects.flatMap(({ kind, metadata: { name, annotations = {} } }) =>
    annotations["helm.sh/hook"]
      ? [{ what: `${kind} ${name}`, weight: Number(annotations["helm.sh/hook-weight"]) }]
      : [],
  );
  expect(hooks.toSorted((one, other) => one.weight - other.weight).map(({ what }) => what)).toEqual([
    "ServiceAccount feed-stop",
    "Role feed-stop",
    "RoleBinding feed-stop",
    "Job feed-stop",
    "Job feed-migrate-1",
  ]);
  const deployments = objects.filter(({ kind }) => kind === "Deployment");
  expect(deployments.map(({ spec }) => spec?.replicas)).toEqual([2, 2]);
});

it("runs nothing but a console while it is stopped", () => {
  const objects = rendered("--set=stopped=true");
  expect(
    objects
      .filter(({ kind }) => kind === "Deployment")
      .map(({ metadata, spec }) => [metadata.name, spec?.replicas]),
  ).toEqual([
    ["feed-console", undefined],
    ["feed-dispatch", 0],
    ["feed-serve", 0],
  ]);
  expect(objects.find(({ kind }) => kind === "CronJob")?.spec?.suspend).toBe(true);
});

it("lets a pod take requests until the proxies know that it ends, and gives it the time that it needs then", () => {
  const serve = rendered().find(
    ({ kind, metadata }) => kind === "Deployment" && metadata.name === "feed-serve",
  )?.spec?.template;
  const { spec } = serve as {
    spec: {
      terminationGracePeriodSeconds: number;
      containers: [{ lifecycle: { preStop: { exec: { command: string[] } } } }];
    };
  };
  const [program, seconds] = spec.containers[0].lifecycle.preStop.exec.command;
  expect([program, Number(seconds) > 0]).toEqual(["sleep", true]);
  const longestSeconds = (STOP_NOTICE_MS + STOP_GRACE_MS + STOP_CLOSE_MS) / 1000;
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + longestSeconds);
});

it("imports with the checks that a person accepts, and else without options", () => {
  const argsOf = (...options: string[]) => {
    const job = rendered(...options).find(({ kind }) => kind === "CronJob")?.spec?.jobTemplate;
    const { spec } = job as { spec: { template: { spec: { containers: [{ args?: string[] }] } } } };
    return spec.template.spec.containers[0].args;
  };
  expect(argsOf()).toBeUndefined();
  const accepted = ["--accept", "row_count", "--accept", "too_many_changes"];
  expect(argsOf("--set=import.accept={row_count,too_many_changes}")).toEqual(accepted);
});

it.each([
  [
    "a database of one's own that no rule lets the program reach",
    OWN_DATABASE.slice(0, 2),
    /networkPolicy\.egress/,
  ],
  ["a backup without a bucket", ["--set=database.backup.enabled=true"], /destinationPath names the bucket/],
])("%s is refused in a sentence", (_, options, words) => {
  expect(() => rendered(...options)).toThrow(words);
});
