import type { Request, Response } from "express";
import {
  invite,
  inviteAgain,
  invitingLack,
  listInvitations,
  withdrawInvitation,
} from "../../../../accounts/invitations/invitations.ts";
import { callerOfAccount } from "../../../../accounts/keys/caller.ts";
import { changeRole, leaveAccount, listPeople, removePerson } from "../../../../accounts/people/people.ts";
import { roleOf } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { OperatorError } from "../../../../platform/operator-error.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { mistakeList } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { errorNotice } from "../../../kit/notice.ts";
import { sendPage } from "../../dashboard-page.ts";
import { addressAfter, doneToast } from "../../parts/after-action.ts";
import { fieldOf, NOT_IN_LIST } from "../../parts/form-fields.ts";
import { problemOf, type ShownProblem } from "../../problem-page.ts";
import { clearSessionCookie } from "../../session-cookie.ts";
import type { Routes } from "../../signed-in.ts";
import {
  confirmLeaving,
  type Invited,
  peoplePage,
  personPage,
  wrongAddress,
  wrongRole,
} from "./people-parts.ts";

const HERE = "/people";

/** Routes the people of an account: inviting, their roles, removing them, and leaving. */
export const peopleRoutes: Routes = (pages, context) => {
  const here = dashboardLink(context, HERE);
  pages.get(HERE, async (request, response, session) => {
    await sendPeople(context, response, session, { top: doneToast(request) });
  });
  pages.post(HERE, "invite people", (request, response, session) =>
    inviteTyped(context, request, response, session),
  );
  pages.post("/people/invitations/:id/again", "invite people", async (request, response, session) => {
    if ((await inviteAgain(context, session, numberIn(request))) === null) throw noSuch("invitation");
    response.redirect(303, addressAfter(here, "invited"));
  });
  pages.post("/people/invitations/:id/withdraw", "invite people", async (request, response, session) => {
    if ((await withdrawInvitation(context, session, numberIn(request))) === null) throw noSuch("invitation");
    response.redirect(303, addressAfter(here, "invitation-withdrawn"));
  });
  pages.get("/people/leave", async (_request, response, session) => {
    const body = confirmLeaving(context, session, await listPeople(context, session.accountId));
    sendPage(context, response, { title: "Leave the account", body, session, here: HERE });
  });
  pages.post("/people/leave", "leave the account", async (_request, response, session) => {
    await leaveAccount(context, session);
    redirectOut(context, response);
  });
  pages.get("/people/:id", async (request, response, session) => {
    const people = await listPeople(context, session.accountId);
    const person = people.find(({ id }) => id === numberIn(request));
    if (person === undefined) throw noSuch("person");
    const body = personPage(context, session, person, people);
    sendPage(context, response, { title: person.email, body, session, here: HERE });
  });
  pages.post("/people/:id/role", "change roles", async (request, response, session) => {
    const role = roleOf(fieldOf(request, "role"));
    if (role === null) throw new OperatorError(`Role: ${NOT_IN_LIST}`);
    const changed = await changeRole(context, session, { personId: numberIn(request), role });
    if (changed === null) throw noSuch("person");
    response.redirect(303, addressAfter(here, "role-changed"));
  });
  pages.post("/people/:id/remove", "remove people", async (request, response, session) => {
    const removed = await removePerson(context, session, numberIn(request));
    if (removed === null) throw noSuch("person");
    if (removed.id === session.person.id) return redirectOut(context, response);
    response.redirect(303, addressAfter(here, "person-removed"));
  });
};

/** Redirects a person who is no longer in the account. */
function redirectOut(context: EntryContext, response: Response): void {
  clearSessionCookie(context, response);
  response.redirect(303, addressAfter(dashboardLink(context, "/sign-in"), "left"));
}

/** The number in an address; 0, which nobody has, when it is none. */
const numberIn = ({ params }: Request): number =>
  /^[1-9]\d{0,8}$/.test(String(params.id)) ? Number(params.id) : 0;

const noSuch = (thing: "person" | "invitation"): ProblemError =>
  new ProblemError("not_found", `Your account has no such ${thing}. Perhaps somebody else removed it.`);

async function inviteTyped(
  context: EntryContext,
  request: Request,
  response: Response,
  session: Session,
): Promise<void> {
  const typed = { email: fieldOf(request, "email"), role: fieldOf(request, "role") };
  const role = roleOf(typed.role);
  const refuse = (refused: Partial<Invited>, { status, detail }: Pick<ShownProblem, "status" | "detail">) => {
    const { mistakes = [] } = refused;
    const top = mistakes.length > 0 ? mistakeList("Nobody was invited.", mistakes) : errorNotice(detail);
    return sendPeople(context, response, session, { top, status, invited: { typed, mistakes } });
  };
  if (role === null)
    return refuse({ mistakes: [wrongRole(NOT_IN_LIST)] }, { status: 400, detail: NOT_IN_LIST });
  try {
    await invite(context, session, { email: typed.email, role });
    response.redirect(303, addressAfter(dashboardLink(context, HERE), "invited"));
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof ProblemError)) throw error;
    const problem = problemOf(error);
    const mistakes = error instanceof OperatorError ? [wrongAddress(problem.detail)] : [];
    await refuse({ mistakes }, problem);
  }
}

async function sendPeople(
  context: EntryContext,
  response: Response,
  session: Session,
  { status = 200, top, invited }: { status?: number; top: Html | false | null; invited?: Invited },
): Promise<void> {
  const [people, invitations, plan] = await Promise.all([
    listPeople(context, session.accountId),
    listInvitations(context, session.accountId),
    callerOfAccount(context, session.accountId),
  ]);
  const body = html`<h1>People</h1>
${top}
${peoplePage(context, session, { people, invitations, lack: invitingLack(plan), invited })}`;
  sendPage(context, response, { status, title: "People", body, session, here: HERE });
}
