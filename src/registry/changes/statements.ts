// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ListRecordedFieldsParams {
  source: string;
}

export interface ListRecordedFieldsRow {
  field: string;
}

export const listRecordedFields = statement<ListRecordedFieldsParams, ListRecordedFieldsRow>(
  import.meta.url,
  "list-recorded-fields.sql",
  ["source"],
);

export interface ListRecordingRow {
  source: string;
  field: string;
  since: Date;
}

export const listRecording = statement<void, ListRecordingRow>(
  import.meta.url,
  "list-recording.sql",
  [],
);

export interface StartRecordingParams {
  source: string;
  fields: readonly string[];
  since: Date;
}

export const startRecording = statement<StartRecordingParams, object>(
  import.meta.url,
  "start-recording.sql",
  ["source", "fields", "since"],
);
