import type { IRouter } from "express";
import { routePage } from "../api/routes.ts";
import type { EntryContext } from "../platform/context.ts";
import { OPERATORS_PAGES, sendSitePage } from "./frame/frame.ts";
import { renderMarkdown } from "./guides/markdown.ts";
import type { OperatorsTexts } from "./operators-texts.ts";

/** Routes /terms and /privacy, if the operator has such a text. It is rendered once. */
export function routeOperatorsPages(app: IRouter, context: EntryContext, texts: OperatorsTexts): void {
  for (const [path, title, setting] of OPERATORS_PAGES) {
    const text = texts[setting];
    if (text === null) continue;
    const { body } = renderMarkdown(context, text);
    routePage(app, context, path, "pages", (_request, response) =>
      sendSitePage(context, response, "text", { title, body }),
    );
  }
}
