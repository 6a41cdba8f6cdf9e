import type { ImportRun } from "../../importer/runs.ts";
import { badge } from "../kit/badge.ts";
import { inlineCode } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";

/** The outcome of an import. */
export const runBadge: Readonly<Record<ImportRun["status"], Html>> = {
  running: badge("info", "running"),
  published: badge("good", "published"),
  refused: badge("bad", "refused"),
  failed: badge("warn", "failed"),
};

/** The guards that refused an import, as `--accept` takes them. */
export const guardsOf = ({ refusedChecks }: Pick<ImportRun, "refusedChecks">): Html | null =>
  refusedChecks.length === 0
    ? null
    : html`${refusedChecks.map((check, index) => html`${index > 0 && ", "}${inlineCode(check)}`)}`;
