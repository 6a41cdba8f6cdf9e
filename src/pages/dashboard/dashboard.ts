// The customers' dashboard at /dashboard: sign-in, keys, usage, feeds, events and webhooks.
// It owns no table: its pages call the functions that the API calls. It promises that nobody sees or changes anything of
// another account, and that no other site can make a signed-in browser change anything.
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { sessionOf } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { requireSameSite } from "./cross-site.ts";
import { carrierRoutes } from "./pages/carriers.ts";
import { componentRoutes } from "./pages/components.ts";
import { deliveryRoutes } from "./pages/deliveries.ts";
import { endpointChangeRoutes } from "./pages/endpoint-changes.ts";
import { eventRoutes } from "./pages/events.ts";
import { feedRoutes } from "./pages/feeds.ts";
import { keyRoutes } from "./pages/keys.ts";
import { overviewRoutes } from "./pages/overview.ts";
import { replayRoutes } from "./pages/replays.ts";
import { signInRoutes } from "./pages/sign-in.ts";
import { usageRoutes } from "./pages/usage.ts";
import { webhookRoutes } from "./pages/webhooks.ts";
import { sendProblem } from "./problem-page.ts";
import { readSessionCookie } from "./session-cookie.ts";
import { type Guard, guardOf } from "./signed-in.ts";

/** Routes a part of the dashboard. A handler wrapped in `guard` runs only for a person who is signed in. */
export type Routes = (router: Router, context: EntryContext, guard: Guard) => void;

const PARTS: readonly Routes[] = [
  signInRoutes,
  overviewRoutes,
  keyRoutes,
  usageRoutes,
  feedRoutes,
  eventRoutes,
  carrierRoutes,
  webhookRoutes,
  endpointChangeRoutes,
  deliveryRoutes,
  replayRoutes,
  componentRoutes,
];

/** The largest form contains a webhook address of 2,000 characters. */
const LARGEST_FORM = "32kb";

/** Creates the handler of everything under /dashboard. */
export function createDashboard(context: EntryContext): RequestHandler {
  const router = Router({ caseSensitive: true, strict: false });
  router.use((_request, response, next) => {
    response.locals.operation = "dashboard";
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("X-Frame-Options", "DENY");
    next();
  });
  router.use(requireSameSite(context));
  router.use(express.urlencoded({ extended: false, limit: LARGEST_FORM, parameterLimit: 100 }));
  const guard = guardOf(context);
  for (const part of PARTS) part(router, context, guard);
  router.use(async (request, response) => {
    const problem = { status: 404, title: "Not found", detail: "There is no such page." };
    sendProblem(context, response, problem, await sessionOf(context, readSessionCookie(context, request)));
  });
  router.use(failure(context));
  return Router({ caseSensitive: true }).use("/dashboard", router);
}

const failure =
  (context: EntryContext): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    sendProblem(context, response, error);
  };
