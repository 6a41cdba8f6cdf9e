import type pg from "pg";
import * as sql from "../../generated/sql/registry/vocabularies.ts";
import { dynamic } from "../../platform/database/statement.ts";
import type { Dataset } from "../datasets.ts";
import { type CodedColumn, meaningOf } from "./vocabularies.ts";

/** The coded columns that SQL reads by their meaning, and the columns that store their values. */
const CODED_COLUMNS: readonly { vocabulary: CodedColumn; table: Dataset; column: string }[] = [
  { vocabulary: "motus_authhist.REASON", table: "motus_authhist", column: "reason" },
  { vocabulary: "motus_revokesuspend.ORDER1_TYPE_DESC", table: "motus_revokesuspend", column: "order_type" },
  { vocabulary: "motus_insur.INS_TYPE_CODE", table: "motus_insur", column: "type_code" },
  { vocabulary: "motus_insur.INS_CLASS_CODE", table: "motus_insur", column: "class_code" },
  { vocabulary: "motus_inshist.INS_TYPE_CODE", table: "motus_inshist", column: "type_code" },
  { vocabulary: "motus_inshist.INS_CLASS_CODE", table: "motus_inshist", column: "class_code" },
  { vocabulary: "motus_inshist.FILING_STATUS_REASON", table: "motus_inshist", column: "filing_status" },
  { vocabulary: "legacy_insur.INS_TYPE_CODE", table: "legacy_insur", column: "type_code" },
  { vocabulary: "legacy_insur.INS_CLASS_CODE", table: "legacy_insur", column: "class_code" },
  { vocabulary: "legacy_actpendinsur.INS_TYPE_DESC", table: "legacy_actpendinsur", column: "insurance_type" },
  { vocabulary: "legacy_inshist.CANCL_METHOD", table: "legacy_inshist", column: "filing_status" },
  { vocabulary: "legacy_authhist.ORIGINAL_ACTION_DESC", table: "legacy_authhist", column: "action" },
  { vocabulary: "legacy_authhist.DISP_ACTION_DESC", table: "legacy_authhist", column: "final_action" },
];

/**
 * Updates the table registry_word: it adds every value of the changed datasets, and sets the meaning that this program
 * gives each value. Runs in the caller's transaction, after the merges.
 */
export async function refreshWords(client: pg.ClientBase, changed: ReadonlySet<Dataset>): Promise<void> {
  for (const { vocabulary, table, column } of CODED_COLUMNS.filter((coded) => changed.has(coded.table))) {
    await dynamic(
      client,
      `INSERT INTO registry_word (vocabulary, value, meaning)
       SELECT DISTINCT $1, coalesce(${column}, ''), 'unknown' FROM ${table} ON CONFLICT DO NOTHING`,
      [vocabulary],
    );
  }
  const rows = await sql.listWords(client);
  const differing = rows
    .map((row) => ({ ...row, now: meaningOf(row.vocabulary, row.value) }))
    .filter(({ meaning, now }) => meaning !== now);
  if (differing.length === 0) return;
  await sql.updateMeanings(client, {
    vocabularies: differing.map(({ vocabulary }) => vocabulary),
    values: differing.map(({ value }) => value),
    meanings: differing.map(({ now }) => now),
  });
}
