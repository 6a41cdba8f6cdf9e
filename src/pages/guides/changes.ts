import { readFileSync, statSync } from "node:fs";

const FILE = new URL("../../../CHANGELOG.md", import.meta.url);

/** What a version brought its customers. */
export interface Change {
  version: string;
  /** When it was published; of a version without a date, when this installation got it. */
  at: Date;
  /** A Markdown list. */
  text: string;
}

let changes: readonly Change[] | undefined;

/** What customers notice of each version in CHANGELOG.md, the newest first. Operators read the file itself. */
export function customerChanges(): readonly Change[] {
  changes ??= changesIn(readFileSync(FILE, "utf8"), statSync(FILE).mtime);
  return changes;
}

const changesIn = (changelog: string, installedAt: Date): Change[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = ""] = part.split("\n");
      const [version = "", note = ""] = heading.split(", ");
      const [, text = ""] = /^For customers:\n\n([\s\S]*?)(?=^For operators:|(?![\s\S]))/m.exec(part) ?? [];
      const day = /^\d{4}-\d\d-\d\d$/.test(note) ? new Date(note) : installedAt;
      return { version, at: day, text: text.trim() };
    })
    .filter(({ text }) => text !== "");

/** All changes, as a part of a guide. */
export const changesText = (): string =>
  customerChanges()
    .map(({ version, text }) => `## Version ${version}\n\n${text}`)
    .join("\n\n");
