import { closeSync, openSync, readSync } from "node:fs";
import type { Config } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";

/** No terms are nearly as long. */
const LARGEST_BYTES = 256 * 1024;

/** The operator's own pages as Markdown; null without such a file. */
export type OperatorsTexts = Readonly<Record<"termsFile" | "privacyFile", string | null>>;

/** Reads them, at the start. OperatorError for a file that can't be read, is too large or not UTF-8. */
export const readOperatorsTexts = ({ termsFile, privacyFile }: Config): OperatorsTexts => ({
  termsFile: termsFile && readMarkdown(termsFile),
  privacyFile: privacyFile && readMarkdown(privacyFile),
});

function readMarkdown(file: string): string {
  const bytes = Buffer.alloc(LARGEST_BYTES + 1);
  let length: number;
  try {
    const opened = openSync(file, "r");
    try {
      length = readSync(opened, bytes);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new OperatorError(`The file ${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (length > LARGEST_BYTES)
    throw new OperatorError(`The file ${file} is larger than ${LARGEST_BYTES / 1024} KB.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    throw new OperatorError(`The file ${file} is not UTF-8.`);
  }
}
