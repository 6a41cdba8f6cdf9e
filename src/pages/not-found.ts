import type { ErrorRequestHandler, IRouter, Request, RequestHandler } from "express";
import type { EntryContext } from "../platform/context.ts";
import { sendSitePage } from "./frame/frame.ts";
import { linkTo } from "./frame/links.ts";
import { html } from "./kit/html.ts";

/**
 * Answers people who open an unknown address with a page, and leads them from an address with a slash at its end to the
 * one without. Programs, and every address of the API, keep the contract's problem.
 */
export function routeNotFound(app: IRouter, context: EntryContext): void {
  app.use(forPeople((_request, response) => sendNotFound(context, response)));
  app.use(undecodable(context));
}

/** Leads people from `/docs/` to `/docs`. Call it before the pages are routed: they answer the slash with a problem. */
export function routeSlashes(app: IRouter, context: EntryContext): void {
  app.get(
    /^((\/[\w.-]+)+)\/$/,
    forPeople((request, response) => response.redirect(308, linkTo(context, request.path.slice(0, -1)))),
  );
}

/** An address that Express can't decode is an error before any route. */
const undecodable =
  (context: EntryContext): ErrorRequestHandler =>
  (error, request, response, next) =>
    error instanceof URIError && isFromPerson(request) ? sendNotFound(context, response) : next(error);

const forPeople =
  (handle: (...call: Parameters<RequestHandler>) => void): RequestHandler =>
  (request, response, next) =>
    isFromPerson(request) ? handle(request, response, next) : next();

/** A browser asks for HTML before anything else. A program takes anything, or names JSON. */
const isFromPerson = (request: Request): boolean =>
  ["GET", "HEAD"].includes(request.method) &&
  !request.path.startsWith("/v1/") &&
  request.get("x-api-key") === undefined &&
  request.accepts(["json", "html"]) === "html";

const sendNotFound = (context: EntryContext, response: Parameters<RequestHandler>[1]): void =>
  sendSitePage(context, response, "text", {
    status: 404,
    title: "Not found",
    body: html`<h1>There is no such page</h1>
<p>The address is not right, or the page has moved.</p>
<ul>
<li><a href="${linkTo(context, "/")}">The front page</a></li>
<li><a href="${linkTo(context, "/docs")}">The reference of the API</a></li>
<li><a href="${linkTo(context, "/dashboard")}">Your dashboard</a></li>
</ul>
<p class="hint">Programs get the problem <a href="${linkTo(context, "/problems/not_found")}"><code>not_found</code></a> here.</p>`,
  });
