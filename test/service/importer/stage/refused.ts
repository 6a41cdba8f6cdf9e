import { gzipSync } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import { wholeFolder } from "./plain-rows.ts";
import { openStaging, type Staging } from "./staging.ts";

export let staging: Staging;
/** Everything but the staging tables, after one good import. */
export let published: string;

export const good = wholeFolder(30);
export const census = good["census.csv"];
export const authhist = good["motus_authhist.csv"];
export const cut = (text: string, percent: number) =>
  text.slice(0, Math.floor((text.length * percent) / 100));
export const damaged = (bytes: Buffer, offset: number) => {
  const copy = Buffer.from(bytes);
  copy[offset] = (copy[offset] ?? 0) ^ 0xff;
  return copy;
};
export const packed = gzipSync(census);
/** The beginning of a zip archive: one file, not compressed. */
export const zipOf = (name: string, content: string) =>
  Buffer.concat([
    Buffer.from(`PK\x03\x04\x14${"\0".repeat(21)}`, "latin1"),
    Buffer.from([name.length, 0, 0, 0]),
    Buffer.from(name + content),
  ]);
/** A line so long that the file unpacks to 300 times its size. */
export const bomb = gzipSync(Buffer.concat([Buffer.from(census), Buffer.alloc(80 * 1024 * 1024, "\n")]));

// Files whose headers have most of each other's columns.
export const MOTUS_INSURANCE = [
  ["motus_insur", "Motus Insur", "TRANS_DATE"],
  ["motus_insur", "Motus Insur", "POLICY_NO"],
  ["motus_inshist", "Motus InsHist", "FILING_STATUS_REASON"],
  ["motus_inshist", "Motus InsHist", "CANCL_EFFECTIVE_DATE"],
  ["motus_revokesuspend", "Motus RevokeSuspend", "ORDER1_SERVE_DATE"],
  ["legacy_insur", "legacy Insur", "POLICY_NO"],
  ["legacy_actpendinsur", "legacy ActPendInsur", "TRANS_DATE"],
  ["legacy_inshist", "legacy InsHist", "CANCL_METHOD"],
  ["legacy_revocation", "legacy Revocation", "ORDER1_SERVE_DATE"],
] as const;

/** Gives the tests of a file staging tables after one good import. */
export function useImported(): void {
  beforeAll(async () => {
    staging = await openStaging();
    await staging.publish(await staging.stage(wholeFolder(30)));
    published = await staging.fingerprint();
  });
  afterAll(() => staging.close());
}
