import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { textLimits } from "../../generated/text-limits.ts";
import type { Context } from "../../platform/context.ts";
import { type Dataset, isLegacy, LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { listSources, type Source } from "../../registry/sources.ts";
import { sha256Of } from "../read/file-bytes.ts";
import type { DatasetInput } from "../recognise/dataset-inputs.ts";
import type { Profile, StagedFile } from "./staged-set.ts";

/**
 * The hash of everything that a file's rows depend on: its bytes (SHA-256), the program that reads them, and the day
 * they are read for. Null for live files, which differ every day.
 */
export function fingerprintOf(dataset: Dataset, today: string, sha256: string): string | null {
  if (!isLegacy(dataset)) return null;
  const day = today < LEGACY_FROZEN_ON ? today : LEGACY_FROZEN_ON;
  return createHash("sha256").update(`${program()} ${day} ${sha256}`).digest("hex");
}

/** The findings of the last good import for an input, if its file has the same bytes as then; else null. */
export async function unchangedSince(
  last: ReadonlyMap<Dataset, Profile>,
  { official: { dataset }, file }: DatasetInput,
  today: string,
): Promise<{ profile: Profile; staged: StagedFile } | null> {
  const profile = last.get(dataset);
  if (!isLegacy(dataset) || profile?.file?.staged.sizeBytes !== file.sizeBytes) return null;
  const fingerprint = fingerprintOf(dataset, today, await sha256Of(file.path));
  return fingerprint === profile.file.fingerprint ? { profile, staged: profile.file.staged } : null;
}

/** The profiles of the last good imports. */
export async function lastProfiles(context: Context): Promise<Map<Dataset, Profile>> {
  const sources: Source[] = await listSources(context);
  return new Map(sources.map(({ dataset, profile }) => [dataset, profile as Profile]));
}

let known: string | undefined;

/** The hash of all code and SQL that reads rows, and of the lengths of texts, since another version of it may make other rows of the same file. */
function program(): string {
  if (known !== undefined) return known;
  const text = createHash("sha256").update(JSON.stringify(textLimits));
  for (const folder of ["..", "../../registry"].map((name) => path.join(import.meta.dirname, name))) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|sql|yaml)$/.test(file))
      .sort())
      text.update(readFileSync(path.join(folder, name)));
  }
  known = text.digest("hex");
  return known;
}
