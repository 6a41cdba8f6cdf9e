import * as sql from "../../generated/sql/importer/checks.ts";
import type { Context } from "../../platform/context.ts";
import { type Dataset, isLegacy } from "../../registry/datasets.ts";
import { titleOf } from "../official/official-files.ts";
import type { StagedFile, StagedSet } from "../stage/staged-set.ts";
import type { Complaint } from "./complaint.ts";

/** Complains about broken files under the name of a registry file, which are skipped when that is accepted. */
export const namedComplaints = ({ skipped, profiles }: StagedSet): Complaint[] =>
  skipped.flatMap(({ file, named }): Complaint[] => {
    if (named === undefined || profiles.has(named)) return [];
    const sentence = `${file} is named like ${titleOf(named)}, but does not have its columns; download it again`;
    return [[`missing-source:${named}`, sentence]];
  });

/**
 * Complains about live files that the last whole import had and this folder lacks. A frozen file is needed once; a
 * daily difference has no row for a file without changes.
 */
export async function absentComplaints(
  { db }: Context,
  { profiles, skipped, isDifference }: StagedSet,
): Promise<Complaint[]> {
  if (isDifference) return [];
  const last = await sql.lastWholeImport(db.bulkPool);
  const isNamed = (dataset: Dataset) => skipped.some(({ named }) => named === dataset);
  return (last?.datasets ?? [])
    .filter((dataset) => !isLegacy(dataset) && !profiles.has(dataset) && !isNamed(dataset))
    .map((dataset) => [
      `missing-source:${dataset}`,
      `${titleOf(dataset)} is not in the folder, but was in the last whole import, ${last?.run}`,
    ]);
}

/** Complains about files that are not those of the folder's manifest. */
export const manifestComplaints = (files: readonly StagedFile[]): Complaint[] =>
  files.flatMap(({ file, dataset, sizeBytes, sha256, noted }): Complaint[] => {
    if (!noted || (noted.sizeBytes === sizeBytes && noted.sha256 === sha256)) return [];
    const difference =
      noted.sizeBytes === sizeBytes
        ? `its SHA-256 is ${sha256} instead of ${noted.sha256}`
        : `it has ${sizeBytes} bytes instead of ${noted.sizeBytes}`;
    return [
      [
        `manifest:${dataset}`,
        `${file} is not the file of manifest.json: ${difference}; remove it and download it again`,
      ],
    ];
  });
