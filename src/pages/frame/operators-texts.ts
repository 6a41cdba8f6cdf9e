import { closeSync, openSync, readSync } from "node:fs";
import type { Config } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";

/** The pages whose text is a file of the operator's, each with the setting that names it and the variable of that. */
export const OPERATORS_PAGES = [
  ["/terms", "Terms", "termsFile", "TERMS_FILE"],
  ["/privacy", "Privacy", "privacyFile", "PRIVACY_FILE"],
] as const;

/** No terms are nearly as long. */
const LARGEST_BYTES = 256 * 1024;

/** One of these pages. */
export interface OperatorsText {
  path: string;
  title: string;
  markdown: string;
}

/** Reads those that the operator has, at the start. OperatorError for a file that can't be read, is too large or not UTF-8. */
export const readOperatorsTexts = (config: Config): OperatorsText[] =>
  OPERATORS_PAGES.flatMap(([path, title, setting, variable]) => {
    const file = config[setting];
    return file === null ? [] : [{ path, title, markdown: readMarkdown(file, variable) }];
  });

function readMarkdown(file: string, variable: string): string {
  const named = `The file ${file} of ${variable}`;
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
    throw new OperatorError(`${named} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (length > LARGEST_BYTES) throw new OperatorError(`${named} is larger than ${LARGEST_BYTES / 1024} KB.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    throw new OperatorError(`${named} is not UTF-8.`);
  }
}
