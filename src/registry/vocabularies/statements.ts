// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { CodedColumn } from "./vocabularies.ts";

export interface ListWordsRow {
  vocabulary: CodedColumn;
  value: string;
  meaning: string;
}

export const listWords = statement<void, ListWordsRow>(
  import.meta.url,
  "list-words.sql",
  [],
);

export interface UpdateMeaningsParams {
  vocabularies: readonly string[];
  values: readonly string[];
  meanings: readonly string[];
}

export const updateMeanings = statement<UpdateMeaningsParams, object>(
  import.meta.url,
  "update-meanings.sql",
  ["vocabularies", "values", "meanings"],
);
