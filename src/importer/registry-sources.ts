import { Refusal } from "./checks/refusal.ts";
import { type FolderFile, listFolder, type SkippedFile } from "./folder.ts";
import { type Finding, recognise } from "./layouts/recognise.ts";

/** Rows of a dataset that is imported, and the file they stand in. */
export type Source = Exclude<Finding, { kind: "unused" }> & { file: FolderFile };

/** What a folder holds of the registry, one source a dataset at most. Refusal for broken files and for none at all. */
export async function findSources(
  dir: string,
  isDifference: boolean,
): Promise<{ sources: Source[]; skipped: SkippedFile[] }> {
  const { files, skipped } = await listFolder(dir);
  const sources: Source[] = [];
  for (const file of files) {
    for (const finding of await recognise(file, isDifference)) {
      if (finding.kind === "unused") skipped.push({ file: finding.label, why: finding.why });
      else sources.push({ ...finding, file });
    }
  }
  requireOneEach(sources);
  if (sources.length > 0) return { sources, skipped };
  throw new Refusal(
    `No registry file was found in ${dir}; docs/operating/importing.md lists the files that are read.`,
  );
}

function requireOneEach(sources: readonly Source[]): void {
  for (const [place, { layout, label }] of sources.entries()) {
    const earlier = sources.slice(0, place).find((source) => source.layout === layout);
    if (!earlier) continue;
    throw new Refusal(
      `${earlier.label} and ${label} are both ${layout.title}; leave only one of them in the folder.`,
    );
  }
}
