// The operator's page at /admin, with a sign-in of its own. It decides about requests for access; commands change the rest.
import type { IRouter } from "express";
import { routePage } from "../../api/routes.ts";
import { findRun } from "../../importer/runs.ts";
import type { EntryContext } from "../../platform/context.ts";
import { readOverview } from "../../watch/overview.ts";
import { routeAdminAccess } from "./access.ts";
import { forOperator, sendAdminPage, sendProblem } from "./admin-page.ts";
import { importPage } from "./import-page.ts";
import { overviewPage } from "./overview.ts";
import { routeOperatorSignIn } from "./sign-in.ts";

/** Routes everything under /admin. */
export function routeAdmin(app: IRouter, context: EntryContext): void {
  routeOperatorSignIn(app, context);
  routeAdminAccess(app, context);
  routePage(
    app,
    context,
    "/admin",
    "admin",
    forOperator(context, async (_request, response, session) => {
      const body = overviewPage(context, await readOverview(context));
      sendAdminPage(context, response, { title: "State of the service", body, session });
    }),
  );
  routePage(
    app,
    context,
    "/admin/imports/:id",
    "admin",
    forOperator(context, async (request, response, session) => {
      const { id = "" } = request.params as { id?: string };
      const run = /^[1-9]\d{0,8}$/.test(id) ? await findRun(context, Number(id)) : null;
      if (run === null) return sendProblem(context, response, NO_IMPORT, session);
      sendAdminPage(context, response, {
        title: `Import ${run.id}`,
        body: importPage(context, run),
        session,
      });
    }),
  );
}

const NO_IMPORT = { status: 404, title: "Not found", detail: "There is no such import." };
