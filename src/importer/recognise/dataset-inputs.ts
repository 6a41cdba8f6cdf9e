import type { Dataset } from "../../registry/datasets.ts";
import { OFFICIAL_FILES } from "../official/official-files.ts";
import { type FolderFile, listFolder, type SkippedFile } from "../read/folder.ts";
import { Refusal } from "../read/refusal.ts";
import { type Finding, recognise } from "./recognise.ts";

type UnusedFinding = Extract<Finding, { kind: "unused" }>;

/** The rows of an imported dataset, and their file. */
export type DatasetInput = Exclude<Finding, { kind: "unused" }> & { file: FolderFile };

/** The registry files of a folder, at most one per dataset. Refusal for a broken file, or if there are none. */
export async function findInputs(
  dir: string,
  isDifference: boolean,
): Promise<{ inputs: DatasetInput[]; skipped: SkippedFile[] }> {
  const { files, skipped } = await listFolder(dir);
  const inputs: DatasetInput[] = [];
  for (const file of files) {
    for (const finding of await recognise(file, isDifference)) {
      if (finding.kind === "unused") skipped.push(skippedFile(file, finding));
      else inputs.push({ ...finding, file });
    }
  }
  requireOneEach(inputs);
  if (inputs.length > 0) return { inputs, skipped };
  throw new Refusal(
    `No registry file was found in ${dir}; docs/operating/importing.md lists the files that are read.`,
  );
}

/** A file that is not read. Under the name of an imported file, unknown content is a broken file of it. */
function skippedFile({ name }: FolderFile, { label, why, isUnknown }: UnusedFinding): SkippedFile {
  const named = isUnknown ? datasetNamed(name) : undefined;
  return { file: label, why, ...(named ? { named } : {}) };
}

/** The dataset whose file usually has this name: that of a download, or one with the portal's id in it. */
function datasetNamed(name: string): Dataset | undefined {
  const [start = ""] = name.toLowerCase().split(".");
  const official = OFFICIAL_FILES.find(
    ({ dataset, ids, differenceId }) =>
      [dataset, `${dataset}_difference`].includes(start) ||
      [...ids, differenceId].some((id) => id !== undefined && start.includes(id)),
  );
  return official?.dataset;
}

function requireOneEach(inputs: readonly DatasetInput[]): void {
  for (const [index, { official, label }] of inputs.entries()) {
    const earlier = inputs.slice(0, index).find((input) => input.official === official);
    if (!earlier) continue;
    throw new Refusal(
      `${earlier.label} and ${label} are both ${official.title}; leave only one of them in the folder.`,
    );
  }
}

/** How a file's header differs from the documented one, although it has every column that the import needs. */
export interface UnexpectedColumns {
  /** Undocumented columns. */
  added: string[];
  /** Missing documented columns that the import does not need. */
  absent: string[];
  /** Whether the documented columns are in another order. */
  areReordered: boolean;
}

/** The differences of a file's header; all empty for a file without a header. */
export function unexpectedColumns(input: DatasetInput): UnexpectedColumns {
  if (input.kind === "json" || !input.hasHeader) return { added: [], absent: [], areReordered: false };
  const { columns } = input;
  const documented = input.official.header;
  const known = columns.filter((column) => documented.includes(column));
  const expected = documented.filter((column) => columns.includes(column));
  return {
    added: columns.filter((column) => !documented.includes(column)),
    absent: documented.filter((column) => !columns.includes(column)),
    areReordered: known.join() !== expected.join(),
  };
}
