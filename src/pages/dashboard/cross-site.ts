import type { RequestHandler } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { sendProblem } from "./problem-page.ts";

/**
 * Refuses every change that another site's page sent the browser to make: by what browsers say of themselves, before
 * anything else is looked at. Forms of a session carry its token besides.
 */
export function requireSameSite(context: EntryContext): RequestHandler {
  const own = new URL(context.config.publicUrl).origin;
  return (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") return next();
    const origin = request.get("origin");
    const site = request.get("sec-fetch-site") ?? "same-origin";
    // Behind no proxy, the address typed into the browser may be another name of this machine than the public one.
    const isOwn = origin === undefined || origin === own || URL.parse(origin)?.host === request.get("host");
    if (isOwn && site === "same-origin") return next();
    sendProblem(context, response, {
      status: 403,
      title: "Not from this page",
      detail:
        "This was not sent from a page of this service, so nothing was changed. Go back and send it from there.",
    });
  };
}
