import type { Request, RequestHandler, Response, Router } from "express";
import { callerOfAccount, requireNotSuspended } from "../../accounts/keys/caller.ts";
import { ownersOf } from "../../accounts/people/people.ts";
import { type DashboardAction, mayDo, onlyThey } from "../../accounts/people/roles.ts";
import { type Session, sessionOf } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { dashboardLink } from "../frame/links.ts";
import { isFormToken, isLinkOfOtherSite, isSentFromHere } from "../frame/session-guard.ts";
import { type Html, html } from "../kit/html.ts";
import { forgetPage, rememberPage } from "./page-asked-for.ts";
import { PAGE_TOO_OLD, type ShownProblem, sendProblem } from "./problem-page.ts";
import { readSessionCookie } from "./session-cookie.ts";

/** Handles a request of a person who is signed in. An error becomes a page. */
type SignedInHandler = (request: Request, response: Response, session: Session) => void | Promise<void>;

/** Routes for a person who is signed in. Anybody else is redirected to the sign-in page. */
interface SignedInRouter {
  /** A page to look at, for every role. */
  get(path: string, handle: SignedInHandler): void;
  /** A page that asks whether to do an action, for the roles that may do it. */
  question(path: string, action: DashboardAction, handle: SignedInHandler): void;
  /** A file, for the roles that may do the action. */
  download(path: string, action: DashboardAction, handle: SignedInHandler): void;
  /** A change, for the roles that may do the action. `readBody` reads a body that is no plain form, once the session is known. */
  post(
    path: string,
    action: DashboardAction,
    handle: SignedInHandler,
    readBody?: (request: Request) => Promise<void>,
  ): void;
}

/** The session's account with its plan, for what the person does: rows and the log say who did it. */
export const callerOf = async (context: EntryContext, { accountId, person }: Session) => ({
  ...(await callerOfAccount(context, accountId)),
  person,
});

/** Routes a part of the dashboard; `router` is for pages that anybody may see. */
export type Routes = (pages: SignedInRouter, context: EntryContext, router: Router) => void;

const TOO_OLD: ShownProblem = {
  status: 403,
  title: PAGE_TOO_OLD,
  detail: "You have signed in again since this page was loaded, so nothing was changed. Load the page again.",
};

/** A download is charged. */
const FROM_OTHER_SITE: ShownProblem = {
  status: 403,
  title: "Not started from this page",
  detail:
    "A link on another site leads to this download, so nothing was sent or charged. Open the feed's page here and download it there.",
};

/**
 * Adds routes to `router` that check the session's cookie, for a change also the session's form token, for a download that no
 * other site and no page of another account started it, and for an action the person's role. `forms` gets a route from the
 * address of each change to the page that has its form.
 */
export function signedInRouter(router: Router, forms: Router, context: EntryContext): SignedInRouter {
  return {
    get: (path, handle) => void router.get(path, guarded(context, path, { handle })),
    question: (path, action, handle) => void router.get(path, guarded(context, path, { handle, action })),
    download: (path, action, handle) =>
      void router.get(path, guarded(context, path, { handle, action, isDownload: true })),
    post: (path, action, handle, readBody) => {
      router.post(path, guarded(context, path, { handle, action, readBody }));
      forms.get(path, (request, response) =>
        response.redirect(303, dashboardLink(context, PAGE_OF_FORM.exec(request.path)?.[0] ?? "/")),
      );
    },
  };
}

/** A refused form stays at its own address, below that of its page: `/webhooks/7` of `/webhooks/7/pause`, `/keys` of `/keys/test`. */
const PAGE_OF_FORM = /^(?:(?:\/[a-z]+\/\d+)+|\/[a-z]+)(?=\/)/;

const OF_OTHER_ACCOUNT: ShownProblem = {
  status: 403,
  title: PAGE_TOO_OLD,
  detail:
    "This page was loaded for another account than the one that you have open now, so nothing was sent or charged. Load the feed's page again.",
};

/** Whether a feed's page of another account started a download. An address that a person wrote down names no account. */
const isOfOtherAccount = (context: EntryContext, request: Request, { accountId }: Session): boolean =>
  ![null, String(accountId)].includes(
    new URL(request.originalUrl, context.config.publicUrl).searchParams.get("account"),
  );

/** The page for a person whose role does not allow an action: who may do it. */
async function roleRefusal(
  context: EntryContext,
  { accountId, person }: Session,
  action: DashboardAction,
): Promise<ShownProblem> {
  const owners = await ownersOf(context, accountId);
  return {
    status: 403,
    title: "Your role does not allow this",
    detail: `${onlyThey(action)}, and you are a ${person.role}. Nothing was changed. Ask ${owners.slice(0, OWNERS_NAMED).join(", ")}.`,
  };
}

const OWNERS_NAMED = 5;

/** Why a session's request is refused; null when it is not. */
async function refusalOf(
  context: EntryContext,
  request: Request,
  {
    session,
    action,
    isDownload,
  }: { session: Session; action: DashboardAction | undefined; isDownload: boolean },
): Promise<ShownProblem | null> {
  if (request.method === "POST" && !carries(request, session.formToken)) return TOO_OLD;
  if (isDownload && isLinkOfOtherSite(request)) return FROM_OTHER_SITE;
  if (isDownload && isOfOtherAccount(context, request, session)) return OF_OTHER_ACCOUNT;
  if (action !== undefined && !mayDo(session.person.role, action))
    return roleRefusal(context, session, action);
  return null;
}

/** Of a suspended account, only these pages are shown: why it is suspended, and what it used. */
const OPEN_WHILE_SUSPENDED: ReadonlySet<string> = new Set([
  "/",
  "/usage",
  "/sign-out",
  "/sign-out-everywhere",
  "/accounts",
]);

/** Between signing in and the page that was asked for. */
const ACCOUNT_CHOICE = "/accounts";

const guarded =
  (
    context: EntryContext,
    path: string,
    {
      handle,
      action,
      readBody,
      isDownload = false,
    }: {
      handle: SignedInHandler;
      action?: DashboardAction;
      isDownload?: boolean;
      readBody?: ((request: Request) => Promise<void>) | undefined;
    },
  ): RequestHandler =>
  async (request, response) => {
    const session = await sessionIn(context, request);
    if (session === null) {
      askToSignIn(context, request, response, { action, isDownload });
      return;
    }
    if (request.path !== ACCOUNT_CHOICE) forgetPage(context, request, response);
    try {
      await readBody?.(request);
      const refusal = await refusalOf(context, request, { session, action, isDownload });
      if (refusal !== null) {
        sendProblem(context, response, refusal, session);
        return;
      }
      if (!OPEN_WHILE_SUSPENDED.has(path)) requireNotSuspended(session);
      await handle(request, response, session);
    } catch (error) {
      sendProblem(context, response, error, session);
    }
  };

/** Redirects to the sign-in page. It says so when a change was lost, and leads back to the page afterwards. */
function askToSignIn(
  context: EntryContext,
  request: Request,
  response: Response,
  { action, isDownload }: { action: DashboardAction | undefined; isDownload: boolean },
): void {
  const isChange = request.method === "POST";
  const isLost = isChange && action !== "sign out";
  if (isLost || !isChange) rememberPage(context, request, response, { isPage: !isChange && !isDownload });
  const signIn = dashboardLink(context, "/sign-in");
  response.redirect(303, isLost ? `${signIn}?done=session-ended` : signIn);
}

const carries = (request: Request, formToken: string): boolean =>
  isFormToken(String((request.body as Record<string, unknown> | undefined)?.form_token ?? ""), formToken);

/** The session of the browser's cookie; null when there is none, or it has ended. */
export const sessionIn = (context: EntryContext, request: Request): Promise<Session | null> =>
  sessionOf(context, readSessionCookie(context, request));

/** For a page that anybody may see: who is signed in, with a link to the dashboard. Null for nobody. */
export async function wayToDashboard(context: EntryContext, request: Request): Promise<Html | null> {
  const session = await sessionIn(context, request);
  return (
    session &&
    html`<p>You are signed in as <strong>${session.person.email}</strong>.</p>
<p><a class="button" href="${dashboardLink(context, "/")}">Open the dashboard</a></p>`
  );
}

/**
 * Refuses every change that a page of another site sends through a visitor's browser, by the headers that browsers set.
 * It is checked before anything else. Forms of a session also carry the session's token.
 */
export function requireSameSite(context: EntryContext): RequestHandler {
  return (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") return next();
    if (isSentFromHere(context, request)) return next();
    sendProblem(context, response, {
      status: 403,
      title: "Not sent from this page",
      detail:
        "This form was not sent from a page of this service, so nothing was changed. Open the page here and send it again.",
    });
  };
}
