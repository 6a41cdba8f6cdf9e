// The pages for people: front page, feeds, prices, request for access, reference, guides, downloads, problem pages, performance, the removal
// form, the status, the customers' dashboard and the operator's page.
// They own no table. Like the API, they call the modules below and show the result.
import type { IRouter } from "express";
import { routePage } from "../api/routes.ts";
import type { EntryContext } from "../platform/context.ts";
import { routeAccess } from "./access/access.ts";
import { routeAdmin } from "./admin/admin.ts";
import { createDashboard } from "./dashboard.ts";
import { routeDownloads } from "./downloads.ts";
import { routeAssets } from "./frame/assets.ts";
import type { OperatorsText } from "./frame/operators-texts.ts";
import { routeFront } from "./front/front.ts";
import { routeGuides } from "./guides/routes.ts";
import { routeNotFound, routeSlashes } from "./not-found.ts";
import { routeOperatorsPages } from "./operators-pages.ts";
import { performancePage } from "./performance.ts";
import { problemIndex, problemPage } from "./problem-pages.ts";
import { routeReference } from "./reference/reference.ts";
import { routeRemovalPage } from "./removal.ts";
import { routeStatus } from "./status-page.ts";

/** Routes every page for people. */
export function routePages(app: IRouter, context: EntryContext, texts: readonly OperatorsText[]): void {
  routeSlashes(app, context);
  routeReference(app, context);
  routeGuides(app, context);
  routeDownloads(app, context);
  routeAssets(app, context);
  routeFront(app, context);
  routeAccess(app, context);
  routePage(app, context, "/docs/performance", "docs", performancePage(context));
  routePage(app, context, "/problems", "pages", (request, response) =>
    problemIndex(context, request, response),
  );
  routePage(app, context, "/problems/:code", "pages", (request, response) =>
    problemPage(context, request as Parameters<typeof problemPage>[1], response),
  );
  routeRemovalPage(app, context);
  routeOperatorsPages(app, context, texts);
  routeStatus(app, context);
  routeAdmin(app, context);
  app.use(createDashboard(context));
  routeNotFound(app, context);
}
