// The customers' dashboard at /dashboard: sign-in, keys, usage, feeds, events, watchlists, webhooks and people.
// It owns no table: its pages call the functions that the API calls. It promises that nobody sees or changes anything of
// another account, that a change is made only by a role that may make it, and that no other site can make a signed-in browser change anything.
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import type { EntryContext } from "../platform/context.ts";
import type { MenuEntry } from "./dashboard/dashboard-page.ts";
import { carrierRoutes } from "./dashboard/pages/carriers.ts";
import { deliveryRoutes } from "./dashboard/pages/deliveries.ts";
import { endpointChangeRoutes } from "./dashboard/pages/endpoint-changes.ts";
import { eventRoutes } from "./dashboard/pages/events.ts";
import { feedNumberRoutes } from "./dashboard/pages/feed-numbers.ts";
import { feedRowRoutes } from "./dashboard/pages/feed-rows.ts";
import { feedRoutes } from "./dashboard/pages/feeds.ts";
import { keyRoutes } from "./dashboard/pages/keys/keys.ts";
import { overviewRoutes } from "./dashboard/pages/overview.ts";
import { accountRoutes } from "./dashboard/pages/people/accounts.ts";
import { logRoutes } from "./dashboard/pages/people/log.ts";
import { peopleRoutes } from "./dashboard/pages/people/people.ts";
import { replayRoutes } from "./dashboard/pages/replays.ts";
import { signInRoutes } from "./dashboard/pages/sign-in.ts";
import { usageRoutes } from "./dashboard/pages/usage.ts";
import { watchlistCarrierRoutes } from "./dashboard/pages/watchlists/list-carriers.ts";
import { watchlistRoutes } from "./dashboard/pages/watchlists/lists.ts";
import { webhookRoutes } from "./dashboard/pages/webhooks.ts";
import { sendProblem } from "./dashboard/problem-page.ts";
import { type Routes, requireSameSite, sessionIn, signedInRouter } from "./dashboard/signed-in.ts";

/** Every part of the dashboard; those with a path, a name and an icon are in the menu, in this order. */
const PARTS: readonly [routes: Routes, entry?: MenuEntry][] = [
  [signInRoutes],
  [overviewRoutes, ["/", "Overview", "overview"]],
  [feedRoutes, ["/feeds", "Feeds", "feeds"]],
  [feedRowRoutes],
  [feedNumberRoutes],
  [eventRoutes, ["/events", "Events", "events"]],
  [carrierRoutes],
  [watchlistRoutes, ["/watchlists", "Watchlists", "watchlists"]],
  [watchlistCarrierRoutes],
  [webhookRoutes, ["/webhooks", "Webhooks", "webhooks"]],
  [endpointChangeRoutes],
  [deliveryRoutes],
  [replayRoutes],
  [keyRoutes, ["/keys", "API keys", "keys"]],
  [usageRoutes, ["/usage", "Usage", "usage"]],
  [logRoutes],
  [peopleRoutes, ["/people", "People", "people"]],
  [accountRoutes],
];

/** The largest form is that of a webhook endpoint: an address of 2,000 characters, 1,000 USDOT numbers and 100 lists. */
const LARGEST_FORM = "32kb";
const MOST_FIELDS = 300;

/** Creates the handler of everything under /dashboard. */
export function createDashboard(context: EntryContext): RequestHandler {
  const router = Router({ caseSensitive: true, strict: false });
  router.use((_request, response, next) => {
    response.locals.operation = "dashboard";
    response.locals.menu = PARTS.flatMap(([, entry]) => (entry ? [entry] : []));
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("X-Frame-Options", "DENY");
    next();
  });
  router.use(requireSameSite(context));
  router.use(express.urlencoded({ extended: false, limit: LARGEST_FORM, parameterLimit: MOST_FIELDS }));
  const forms = Router({ caseSensitive: true });
  const pages = signedInRouter(router, forms, context);
  for (const [routes] of PARTS) routes(pages, context, router);
  // A function, since they are no pages: whoever lists the router's pages does not find them.
  router.use((request, response, next) => forms(request, response, next));
  router.use(async (request, response) => {
    sendProblem(context, response, NO_SUCH_PAGE, await sessionIn(context, request));
  });
  router.use(failure(context));
  return Router({ caseSensitive: true }).use("/dashboard", router);
}

const NO_SUCH_PAGE = { status: 404, title: "Not found", detail: "There is no such page." };

const failure =
  (context: EntryContext): ErrorRequestHandler =>
  async (error, request, response, _next) => {
    // Without the database the page has no menu.
    const session = await sessionIn(context, request).catch(() => null);
    // Express can't decode the address.
    sendProblem(context, response, error instanceof URIError ? NO_SUCH_PAGE : error, session);
  };
