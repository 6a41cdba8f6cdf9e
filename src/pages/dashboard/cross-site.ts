import type { RequestHandler } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { sendProblem } from "./problem-page.ts";

/**
 * Refuses every change that a page of another site sends through a visitor's browser, by the headers that browsers set.
 * It is checked before anything else. Forms of a session also carry the session's token.
 */
export function requireSameSite(context: EntryContext): RequestHandler {
  const own = new URL(context.config.publicUrl).origin;
  return (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") return next();
    const origin = request.get("origin");
    const site = request.get("sec-fetch-site") ?? "same-origin";
    // Without a proxy in front, people may use another name of this machine than PUBLIC_URL.
    const isOwn = origin === undefined || origin === own || URL.parse(origin)?.host === request.get("host");
    if (isOwn && site === "same-origin") return next();
    sendProblem(context, response, {
      status: 403,
      title: "Not sent from this page",
      detail:
        "This form was not sent from a page of this service, so nothing was changed. Open the page here and send it again.",
    });
  };
}
