import type { Request } from "express";
import {
  closeAllSessions,
  closeSession,
  openSession,
  sessionOf,
} from "../../../accounts/sessions/sessions.ts";
import {
  accountOfLink,
  NEW_EMAIL_HOURS,
  requestSignIn,
  SIGN_IN_LINK_MINUTES,
} from "../../../accounts/sessions/sign-in-links.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { clientAddressOf } from "../../../platform/http/client.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { field } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { type Page, sendPage } from "../dashboard-page.ts";
import { landingLink } from "../page-asked-for.ts";
import { addressAfter, doneToast } from "../parts/after-action.ts";
import { fieldOf, queryOf } from "../parts/form-fields.ts";
import { whomToAsk } from "../plan-note.ts";
import { clearSessionCookie, readSessionCookie, setSessionCookie } from "../session-cookie.ts";
import { type Routes, wayToDashboard } from "../signed-in.ts";

/** Routes signing in by a mailed link, and signing out. */
export const signInRoutes: Routes = (pages, context, router) => {
  const address = dashboardLink(context, "/sign-in");
  router.get("/sign-in", (request, response) => {
    const page = queryOf(request).has("sent")
      ? { title: "Check your mail", body: linkSent(address) }
      : { title: "Sign in", body: html`${doneToast(request)}${askForAddress(context, address)}` };
    sendPage(context, response, page);
  });
  router.post("/sign-in", async (request, response) => {
    const client = clientAddressOf(request, context.config.trustProxyHops);
    await requestSignIn(context, client, fieldOf(request, "email"));
    response.redirect(303, `${address}?sent`);
  });
  // Mail scanners open the links in mails. Only the button uses the link.
  router.get("/sign-in/:token", async (request, response) => {
    const link = await accountOfLink(context, request.params.token);
    const page = link === null ? await overPage(context, request) : { title: "Sign in", body: confirm(link) };
    sendPage(context, response, page);
  });
  router.post("/sign-in/:token", async (request, response) => {
    const token = await openSession(context, request.params.token);
    if (token === null) {
      sendPage(context, response, await overPage(context, request));
      return;
    }
    setSessionCookie(context, response, token);
    const session = await sessionOf(context, token);
    const hasChoice = (session?.accounts ?? 1) > 1;
    response.redirect(303, hasChoice ? dashboardLink(context, "/accounts") : landingLink(context, request));
  });
  pages.post("/sign-out", "sign out", async (request, response) => {
    await closeSession(context, readSessionCookie(context, request) ?? "");
    clearSessionCookie(context, response);
    response.redirect(303, addressAfter(address, "signed-out"));
  });
  pages.post("/sign-out-everywhere", "sign out", async (_request, response, session) => {
    await closeAllSessions(context, session);
    clearSessionCookie(context, response);
    response.redirect(303, addressAfter(address, "signed-out-everywhere"));
  });
};

const askForAddress = (context: EntryContext, address: string): Html => html`<h1>Sign in</h1>
<p>We mail you a link that works once, within ${SIGN_IN_LINK_MINUTES} minutes. There is no password.</p>
<form class="stack" method="post" action="${address}">
${field({ name: "email", label: "Your e-mail address", type: "email", autocomplete: "email", maxLength: 254, isRequired: true, hasFocus: true })}
<button>Mail me a link</button>
</form>
<p class="hint">No account yet? <a href="${linkTo(context, "/request-access")}">Request access</a>.</p>`;

const linkSent = (address: string): Html => html`<h1>Check your mail</h1>
<p>If the address belongs to an account, we have sent a link to it. The link works once, within ${SIGN_IN_LINK_MINUTES} minutes.</p>
<p>No mail? Check the spam folder, or <a href="${address}">try another address</a>.</p>`;

const confirm = ({ name, newEmail }: { name: string; newEmail: string | null }): Html => html`<h1>Sign in</h1>
<p>To the account <strong>${name}</strong>${newEmail !== null && html`, and confirm <strong>${newEmail}</strong> as its new address`}.</p>
<form class="stack" method="post">
<button autofocus>${newEmail === null ? "Sign in" : "Confirm and sign in"}</button>
</form>`;

/** The page of a link that is used or too old. Who has signed in by it comes back to it, so it leads on. */
async function overPage(context: EntryContext, request: Request): Promise<Page> {
  const wayOn = await wayToDashboard(context, request);
  const body = html`<h1>This link has expired</h1>
<p>It was already used, or it is too old. A link for signing in works for ${SIGN_IN_LINK_MINUTES} minutes. A link that confirms a new
address works for ${NEW_EMAIL_HOURS} hours, and only the newest one: to get another, ${whomToAsk(context, "New address")}.</p>
${wayOn}
<p><a class="button${wayOn && " quiet"}" href="${dashboardLink(context, "/sign-in")}">Ask for a new link to sign in</a></p>`;
  return { status: 410, title: "This link has expired", body };
}
