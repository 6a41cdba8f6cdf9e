import type { Request, Response } from "express";
import {
  acceptInvitation,
  INVITATION_DAYS,
  invitationOf,
} from "../../../../accounts/invitations/invitations.ts";
import { roleSentence } from "../../../../accounts/people/roles.ts";
import {
  accountsOf,
  type OwnAccount,
  type Session,
  switchAccount,
} from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { badge } from "../../../kit/badge.ts";
import { type Html, html } from "../../../kit/html.ts";
import { table } from "../../../kit/table.ts";
import { formToken, sendPage } from "../../dashboard-page.ts";
import { landingLink } from "../../page-asked-for.ts";
import { fieldOf } from "../../parts/form-fields.ts";
import { readSessionCookie, setSessionCookie } from "../../session-cookie.ts";
import { type Routes, wayToDashboard } from "../../signed-in.ts";

/** Routes accepting an invitation, and choosing one of the accounts of an address. */
export const accountRoutes: Routes = (pages, context, router) => {
  const first = dashboardLink(context, "/");
  // Mail scanners open the links in mails. Only the button uses the link.
  router.get("/invitations/:token", async (request, response) => {
    const invitation = await invitationOf(context, request.params.token);
    if (invitation === null) return sendOver(context, request, response);
    sendPage(context, response, { title: "Invitation", body: confirm(invitation) });
  });
  router.post("/invitations/:token", async (request, response) => {
    const token = await acceptInvitation(context, request.params.token);
    if (token === null) return sendOver(context, request, response);
    setSessionCookie(context, response, token);
    response.redirect(303, first);
  });
  pages.get("/accounts", async (request, response, session) => {
    const accounts = await accountsOf(context, session);
    const body = accountsPage(context, session, { accounts, landing: landingLink(context, request) });
    sendPage(context, response, { title: "Choose an account", body, session });
  });
  pages.post("/accounts", "switch to another account", async (request, response, session) => {
    const accountId = Number(fieldOf(request, "account"));
    const token = readSessionCookie(context, request) ?? "";
    const switched = await switchAccount(context, { token, session, accountId });
    if (switched === null) throw notYours();
    setSessionCookie(context, response, switched);
    response.redirect(303, landingLink(context, request));
  });
};

const notYours = (): ProblemError =>
  new ProblemError("not_found", "Your address does not belong to this account.");

const confirm = ({
  accountName,
  email,
  role,
  invitedBy,
}: NonNullable<Awaited<ReturnType<typeof invitationOf>>>): Html => html`<h1>Invitation</h1>
<p>${invitedBy} invites <strong>${email}</strong> to the account <strong>${accountName}</strong>, as its ${role}. ${roleSentence(role)}</p>
<form class="stack" method="post">
<button autofocus>Accept and sign in</button>
</form>`;

/** Answers that an invitation is over. Who has accepted it comes back to it, so it leads on. */
async function sendOver(context: EntryContext, request: Request, response: Response): Promise<void> {
  const wayOn = await wayToDashboard(context, request);
  const signIn = html`<a href="${dashboardLink(context, "/sign-in")}">sign in</a>`;
  const body = html`<h1>This invitation is no longer valid</h1>
<p>It was accepted or withdrawn, a newer one was mailed, or it is older than ${INVITATION_DAYS} days.</p>
<p>${wayOn === null && html`If you have accepted it, ${signIn}. `}Otherwise, ask the person who invited you for another one.</p>
${wayOn}`;
  sendPage(context, response, { status: 410, title: "Invitation", body });
}

const accountsPage = (
  context: EntryContext,
  session: Session,
  { accounts, landing }: { accounts: readonly OwnAccount[]; landing: string },
): Html => html`<h1>Choose an account</h1>
<p>The accounts of ${session.person.email}.</p>
${table({
  label: "Accounts",
  rowsAreCards: true,
  rows: accounts,
  columns: [
    { head: "Account", cell: ({ accountName }) => accountName },
    { head: "Your role", cell: ({ role }) => role },
    {
      head: "Open",
      isAction: true,
      cell: ({ accountId, accountName }) =>
        accountId === session.accountId
          ? html`${badge("info", "open now")} <a href="${landing}" aria-label="Stay in ${accountName}">Stay</a>`
          : html`<form method="post" action="${dashboardLink(context, "/accounts")}">
${formToken(session)}
<button class="small" name="account" value="${accountId}" aria-label="Open ${accountName}">Open</button>
</form>`,
    },
  ],
})}`;
