import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { pythonWheel, wheelName } from "../../../scripts/generate/packages/wheel.ts";
import { setDetection } from "../../../test/support/events/events.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";

export const ROOT = path.join(import.meta.dirname, "../../..");
export const run = promisify(execFile);

export let folder: string;
export let wheel: string;
export let service: TestService;

/** What a program of this folder prints. Python reads modules from a wheel as from a folder. */
export async function printed(program: string, given: object): Promise<Record<string, unknown>> {
  const env = { ...process.env, PYTHONPATH: wheel };
  const words = ["-W", "error", path.join(import.meta.dirname, program), JSON.stringify(given)];
  const { stdout } = await run("python3", words, { env, timeout: 50_000 });
  return JSON.parse(stdout);
}

/** The wheel in a folder of one test file, and a service. */
export function useWheel(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-python-"));
    const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    wheel = path.join(folder, wheelName(version));
    await writeFile(wheel, await pythonWheel(ROOT));
    service = await startTestService({ hasTestMode: true });
    await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });
}
