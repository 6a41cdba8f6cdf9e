import type { Context } from "../../platform/context.ts";
import { isLegacy } from "../../registry/datasets.ts";
import { titleOf } from "../layouts/layouts.ts";
import type { StagedFile } from "../stage.ts";
import type { Complaint } from "./check-against-last.ts";
import * as sql from "./statements.ts";

/** Complains about files with the same bytes as a file of an import before the last one. */
export async function oldFileComplaints({ db }: Context, files: readonly StagedFile[]): Promise<Complaint[]> {
  const live = files.flatMap(({ file, dataset, sha256 }) =>
    sha256 === undefined || isLegacy(dataset) ? [] : [{ file, dataset, sha256 }],
  );
  const { rows } = await sql.findOldFiles.run(db.bulkPool, {
    datasets: live.map(({ dataset }) => dataset),
    sha256s: live.map(({ sha256 }) => sha256),
  });
  return live.flatMap(({ file, dataset, sha256 }): Complaint[] => {
    const old = rows.find((row) => row.dataset === dataset && row.sha256 === sha256);
    if (!old) return [];
    const sentence = `${file} (${titleOf(dataset)}) is the file of import ${old.run}, as of ${old.asOf}; a newer one was imported since`;
    return [[`old-file:${dataset}`, sentence]];
  });
}
