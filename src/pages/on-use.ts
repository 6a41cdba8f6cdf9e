import { type IRouter, Router } from "express";
import type { EntryContext } from "../platform/context.ts";
import { readOperatorsTexts } from "./frame/operators-texts.ts";

/**
 * Routes every page for people, and loads the pages when a request comes that nothing before them answers. Many processes
 * serve programs alone: without the pages they use a tenth less memory, and start sooner. The operator's own texts are read now:
 * OperatorError for one that can't be.
 */
export function routePagesOnUse(app: IRouter, context: EntryContext): void {
  const texts = readOperatorsTexts(context.config);
  let pages: Router | undefined;
  const load = async (): Promise<Router> => {
    const { routePages } = await import("./pages.ts");
    const router = Router({ strict: true, caseSensitive: true });
    routePages(router, context, texts);
    return router;
  };
  app.use(async (request, response, next) => {
    pages ??= await load();
    pages(request, response, next);
  });
}
