import type { IRouter } from "express";
import { routePage } from "../api/routes.ts";
import type { EntryContext } from "../platform/context.ts";
import { sendSitePage } from "./frame/frame.ts";
import type { OperatorsText } from "./frame/operators-texts.ts";
import { renderMarkdown } from "./guides/markdown.ts";

/** Routes the pages of the operator's own texts. Each is rendered once. */
export function routeOperatorsPages(
  app: IRouter,
  context: EntryContext,
  texts: readonly OperatorsText[],
): void {
  for (const { path, title, markdown } of texts) {
    const { body } = renderMarkdown(context, markdown);
    routePage(app, context, path, "pages", (_request, response) =>
      sendSitePage(context, response, "text", { title, body }),
    );
  }
}
