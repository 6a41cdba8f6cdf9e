import { closeSync, openSync, readSync } from "node:fs";
import type { IRouter } from "express";
import { routePage } from "../api/routes.ts";
import type { EntryContext } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { OPERATORS_PAGES, sendSitePage } from "./frame/frame.ts";
import { renderMarkdown } from "./guides/markdown.ts";

/** No terms are nearly as long. */
const LARGEST_BYTES = 256 * 1024;

/**
 * Routes /terms and /privacy, if the operator has such a file. It is read and rendered once, at the start. OperatorError for
 * a file that can't be read, is too large or not UTF-8.
 */
export function routeOperatorsPages(app: IRouter, context: EntryContext): void {
  for (const [path, title, setting] of OPERATORS_PAGES) {
    const file = context.config[setting];
    if (file === null) continue;
    const { body } = renderMarkdown(context, readMarkdown(file));
    routePage(app, context, path, "pages", (_request, response) =>
      sendSitePage(context, response, "text", { title, body }),
    );
  }
}

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
