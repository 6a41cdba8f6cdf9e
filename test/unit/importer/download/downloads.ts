import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import {
  type DownloadedFile,
  type DownloadOptions,
  downloadRegistry,
} from "../../../../src/importer/download/download.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { settableClock } from "../../../support/clock.ts";
import { type Answer, openPortal, type Portal } from "../../../support/network/download-portal.ts";

export const FILE = "motus_carrier.csv";
export const TEXT = `DOCKET_NUMBER,USDOT_NUMBER\n${"MC1,1\n".repeat(20_000)}`;
export const PART = 50_000;

export let dir: string;
export let portal: Portal;
export let waited: number[];
export const clock = settableClock("2026-11-20T12:00:00Z");

/** Downloads Motus Carrier from a portal that answers by the script. */
export async function download(...script: Answer[]): Promise<DownloadedFile | undefined> {
  await open(...script);
  return again();
}

/** Opens a portal that answers by the script, in the place of the one before. */
export async function open(...script: Parameters<typeof openPortal>): Promise<void> {
  await portal?.close();
  portal = await openPortal(...script);
}

export async function again(options: Partial<DownloadOptions> = {}): Promise<DownloadedFile | undefined> {
  const wait = async (ms: number) => void waited.push(ms);
  const downloaded = await downloadRegistry({
    outDir: dir,
    portalUrls: [portal.url],
    only: ["motus_carrier"],
    clock,
    wait,
    stallMs: 10_000,
    ...options,
    onProgress: (progress) => {
      options.onProgress?.(progress);
      if (progress.step === "receive") portal.noteReceived(progress.receivedBytes);
    },
  });
  return downloaded[0];
}

export const refusal = async (tried: Promise<unknown>): Promise<string> => {
  const error = await tried.then(
    () => Promise.reject(new Error("it was downloaded")),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return error.message;
};

export const content = () => readFile(path.join(dir, FILE), "utf8");
export const ranges = () => portal.requests.map(({ headers }) => headers.range);

/** Gives each test a folder of its own, and closes the portal that it opened. */
export function useDownloads(): void {
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "tdf-download-"));
    waited = [];
  });
  afterEach(async () => {
    await portal?.close();
    await rm(dir, { recursive: true, force: true });
  });
}
