import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { signatureOf, signingKeyOf, standardHeaders } from "../../../src/webhooks/secrets/signing.ts";
import {
  type ExampleLanguage,
  type ExampleReceiver,
  hasPython,
  startExample,
} from "../../support/webhooks/example-receiver.ts";

export const SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCD";
export const EVENT = {
  id: "evt_7",
  type: "reinstated",
  created: "2026-11-20T11:20:05Z",
  data: { usdot: "4300000" },
};
/** Long enough for immediate results, also on a busy machine. */
export const PATIENCE = { timeout: 50_000, interval: 20 };
export const CIDRS = "127.0.0.0/8";

export const tls = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

export const languages: ExampleLanguage[] = ["typescript", "typescript, by Standard Webhooks"];
if (hasPython()) languages.push("python", "python, by Standard Webhooks");

export const isStandard = (language: ExampleLanguage): boolean => language.endsWith("by Standard Webhooks");

/** The headers that an example reads, signed by these secrets at a time. */
export const signedHeaders = (
  language: ExampleLanguage,
  secrets: string | readonly string[],
  unixSeconds: number,
  body: string,
): Record<string, string> => {
  const keys = [secrets].flat().map(signingKeyOf);
  return isStandard(language)
    ? standardHeaders(keys, { id: "evt_7", unixSeconds, body })
    : { "Service-Signature": signatureOf(keys, unixSeconds, body) };
};

export let folder: string;
export const running = new Set<ExampleReceiver>();

export async function start(
  language: ExampleLanguage,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> {
  const receiver = await startExample(language, settings);
  running.add(receiver);
  return {
    ...receiver,
    end: (signal) => {
      running.delete(receiver);
      return receiver.end(signal);
    },
  };
}

/** A folder of one test file for the inboxes of examples, and the end of those that run. */
export function useExamples(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-examples-"));
  });
  afterAll(async () => {
    await Promise.all([...running].map((receiver) => receiver.end("SIGKILL")));
    running.clear();
    await rm(folder, { recursive: true });
  });
}
