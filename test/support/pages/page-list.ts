import express from "express";
import { readOperatorsTexts } from "../../../src/pages/frame/operators-texts.ts";
import { routePages } from "../../../src/pages/pages.ts";
import { entryContextOf } from "../../../src/platform/context.ts";
import { COMPONENTS } from "./components-page.ts";
import type { ShownService } from "./shown-service.ts";

/** Addresses of the pages whose route has a parameter, or that look different under some query. */
const addressesOf = (shown: ShownService): Readonly<Record<string, readonly string[]>> => {
  const endpoint = `/dashboard/webhooks/${shown.endpointId}`;
  const watchlist = `/dashboard/watchlists/${shown.watchlistId}`;
  return {
    "/feeds/:code": ["/feeds/us_brokers", "/feeds/us_insurance_lapse_alerts", "/feeds/no-such-feed"],
    "/request-access": ["/request-access", "/request-access?plan=growth", "/request-access?sent"],
    "/request-access/:token": [shown.accessPath, "/request-access/used"],
    "/admin/access/:id": [`/admin/access/${shown.accessId}`, "/admin/access/no-such"],
    ...Object.fromEntries(
      ["grant", "decline"].map((name) => [
        `/admin/access/:id/${name}`,
        [`/admin/access/${shown.accessId}/${name}`],
      ]),
    ),
    "/problems/:code": ["/problems/quota_exceeded", "/problems/no-such-code"],
    "/sdk/:file": ["/sdk/no-such-file"],
    "/dashboard/sign-in": ["/dashboard/sign-in", "/dashboard/sign-in?sent"],
    "/dashboard/sign-in/:token": [shown.signInPath, "/dashboard/sign-in/used"],
    "/admin/sign-in": ["/admin/sign-in", "/admin/sign-in?sent"],
    "/admin/sign-in/:token": [shown.operatorSignInPath, "/admin/sign-in/used"],
    "/admin/imports/:id": [...shown.importIds, "no-such"].map((id) => `/admin/imports/${id}`),
    "/dashboard/feeds/:code": [
      "/dashboard/feeds/us_brokers",
      "/dashboard/feeds/us_new_authority_weekly?state=TX,CA&columns=phone,zip&sort=-authority_granted",
    ],
    "/dashboard/feeds/:code/numbers": ["/dashboard/feeds/us_brokers/numbers"],
    "/dashboard/feeds/:code/columns": ["/dashboard/feeds/us_brokers/columns"],
    "/dashboard/feeds/:code/views": ["/dashboard/feeds/us_brokers/views"],
    "/dashboard/carriers/:usdot": [`/dashboard/carriers/${shown.usdot}`, "/dashboard/carriers/99999999"],
    ...Object.fromEntries(
      ["csv", "ndjson", "parquet"].map((format) => [
        `/dashboard/feeds/:code/export.${format}`,
        [`/dashboard/feeds/us_revocation_pending/export.${format}`],
      ]),
    ),
    "/dashboard/watchlists/:id": [watchlist, `/dashboard/watchlists/${shown.emptyWatchlistId}`],
    "/dashboard/watchlists/:id/edit": [`${watchlist}/edit`],
    "/dashboard/watchlists/:id/delete": [`${watchlist}/delete`],
    "/dashboard/keys/:id/rotate": [`/dashboard/keys/${shown.keyId}/rotate`],
    "/dashboard/people/:id": [`/dashboard/people/${shown.personId}`],
    "/dashboard/invitations/:token": [shown.invitationPath, "/dashboard/invitations/used"],
    "/dashboard/keys/:id/revoke": [`/dashboard/keys/${shown.keyId}/revoke`],
    "/dashboard/webhooks/:id": [endpoint, `${endpoint}?status=failed`],
    "/dashboard/webhooks/:id/rotate": [`${endpoint}/rotate`],
    "/dashboard/webhooks/:id/edit": [`${endpoint}/edit`],
    "/dashboard/webhooks/:id/delete": [`${endpoint}/delete`],
    "/dashboard/webhooks/:id/replay": [`${endpoint}/replay?from=2026-11-18T00:00&to=2026-11-20T17:00`],
    "/dashboard/webhooks/:id/deliveries/:delivery": [`${endpoint}/deliveries/${shown.deliveryId}`],
  };
};

/** Addresses that no route is for. */
const NOWHERE = ["/no-such-page", "/dashboard/no-such-page"];

/** Pages about something that is not there, with their status. */
const STATUSES: Readonly<Record<string, number>> = {
  "/no-such-page": 404,
  "/dashboard/no-such-page": 404,
  "/feeds/no-such-feed": 404,
  "/problems/no-such-code": 404,
  "/dashboard/sign-in/used": 410,
  "/dashboard/invitations/used": 410,
  "/admin/sign-in/used": 410,
  "/request-access/used": 410,
  "/admin/access/no-such": 404,
  "/admin/imports/no-such": 404,
  "/dashboard/carriers/99999999": 404,
};

/** A page, with a name that is the same in every run. */
export interface ListedPage {
  name: string;
  address: string;
  status: number;
}

/**
 * Every page of the service, and the components. Pages are found from the routes, so that no new one is forgotten. Throws for a route with a
 * parameter that has no address above.
 */
export async function everyPage(shown: ShownService): Promise<ListedPage[]> {
  const known = addressesOf(shown);
  const paths = routedPaths(shown);
  const unknown = paths.filter((path) => path.includes(":") && known[path] === undefined);
  if (unknown.length > 0) throw new Error(`Add an address of ${unknown.join(", ")} to this file.`);
  const listed = [...paths, COMPONENTS, ...NOWHERE].flatMap((path) =>
    (known[path] ?? [path]).map((address, index) => ({
      name: index === 0 ? path : `${path} ${index + 1}`,
      address,
      status: STATUSES[address] ?? 200,
    })),
  );
  const pages: ListedPage[] = [];
  for (const page of listed) if (await isPage(shown, page.address)) pages.push(page);
  return pages;
}

/** Express's router, as far as its routes are read here. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
  handle: { stack?: readonly Layer[] };
}

function routedPaths({ context }: ShownService): string[] {
  const app = express();
  const entry = entryContextOf(context);
  routePages(app, entry, readOperatorsTexts(entry.config));
  return [...new Set(pathsIn(app.router.stack as unknown as readonly Layer[], ""))];
}

/** The only nested router is the dashboard's. */
const pathsIn = (layers: readonly Layer[], prefix: string): string[] =>
  layers.flatMap(({ route, handle }) => {
    if (handle.stack !== undefined && route === undefined) return pathsIn(handle.stack, "/dashboard");
    if (typeof route?.path !== "string" || !takesGet(route.methods)) return [];
    const path = prefix + (prefix !== "" && route.path === "/" ? "" : route.path);
    // Each public page is also routed with a slash at its end, which is no page.
    return path.length > 1 && path.endsWith("/") ? [] : [path];
  });

const takesGet = (methods: Record<string, boolean>): boolean => methods.get === true || methods._all === true;

async function isPage({ url, cookie }: ShownService, address: string): Promise<boolean> {
  const headers = { Accept: "text/html", Cookie: cookie };
  const answer = await fetch(url + address, { headers, redirect: "manual" });
  await answer.arrayBuffer();
  const isElsewhere = answer.status >= 300 && answer.status < 400;
  return !isElsewhere && answer.headers.get("content-type")?.startsWith("text/html") === true;
}
