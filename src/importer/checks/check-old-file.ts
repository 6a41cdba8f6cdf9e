import type { Context } from "../../platform/context.ts";
import { titleOf } from "../layouts/layouts.ts";
import type { StagedFile } from "../stage.ts";
import type { Complaint } from "./check-against-last.ts";

/** Complains about files with the same bytes as a file of an import before the last one. */
export async function oldFileComplaints({ db }: Context, files: readonly StagedFile[]): Promise<Complaint[]> {
  const live = files.filter(({ dataset, sha256 }) => sha256 !== undefined && !dataset.startsWith("legacy_"));
  const { rows } = await db.bulkPool.query<{ dataset: string; sha256: string; run: number; asOf: string }>(
    `SELECT dataset, sha256, max(run)::int AS run, max("asOf") AS "asOf"
     FROM (
       SELECT file ->> 'dataset' AS dataset, file ->> 'sha256' AS sha256, id AS run, as_of AS "asOf",
         rank() OVER (PARTITION BY file ->> 'dataset' ORDER BY id DESC) AS age
       FROM import_run CROSS JOIN LATERAL jsonb_array_elements(report -> 'files') AS files (file)
       WHERE status = 'published' AND report ->> 'demoDay' IS NULL
     ) AS imported
     WHERE (dataset, sha256) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     GROUP BY dataset, sha256 HAVING min(age) > 1`,
    [live.map(({ dataset }) => dataset), live.map(({ sha256 }) => sha256)],
  );
  return live.flatMap(({ file, dataset, sha256 }): Complaint[] => {
    const old = rows.find((row) => row.dataset === dataset && row.sha256 === sha256);
    if (!old) return [];
    const sentence = `${file} (${titleOf(dataset)}) is the file of import ${old.run}, as of ${old.asOf}; a newer one was imported since`;
    return [[`old-file:${dataset}`, sentence]];
  });
}
