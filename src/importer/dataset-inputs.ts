import { Refusal } from "./checks/refusal.ts";
import { type FolderFile, listFolder, type SkippedFile } from "./folder.ts";
import { type Finding, recognise } from "./layouts/recognise.ts";

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
      if (finding.kind === "unused") skipped.push({ file: finding.label, why: finding.why });
      else inputs.push({ ...finding, file });
    }
  }
  requireOneEach(inputs);
  if (inputs.length > 0) return { inputs, skipped };
  throw new Refusal(
    `No registry file was found in ${dir}; docs/operating/importing.md lists the files that are read.`,
  );
}

function requireOneEach(inputs: readonly DatasetInput[]): void {
  for (const [index, { layout, label }] of inputs.entries()) {
    const earlier = inputs.slice(0, index).find((input) => input.layout === layout);
    if (!earlier) continue;
    throw new Refusal(
      `${earlier.label} and ${label} are both ${layout.title}; leave only one of them in the folder.`,
    );
  }
}
