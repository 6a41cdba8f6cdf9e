import { INVITATION_DAYS, type InvitationShown } from "../../../../accounts/invitations/invitations.ts";
import type { PersonShown } from "../../../../accounts/people/people.ts";
import { mayDo, ROLE_WORDS, ROLES, type Role, roleSentence } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { badge } from "../../../kit/badge.ts";
import { choice, field, type Mistake, wrongIn } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo } from "../../../kit/navigation.ts";
import { facts, table } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { formToken } from "../../dashboard-page.ts";
import { confirmForm } from "../../parts/confirm.ts";

/** What was typed into the form of an invitation, and what is wrong with it. */
export interface Invited {
  typed: { email: string; role: string };
  mistakes: readonly Mistake[];
}

const NOTHING_TYPED: Invited = { typed: { email: "", role: "member" }, mistakes: [] };

const ADDRESS = "E-mail address";
export const wrongAddress = (message: string): Mistake => ({ name: "email", label: ADDRESS, message });
export const wrongRole = (message: string): Mistake => ({ name: "role", label: "Role", message });

/** The people and invitations of an account, and what the signed-in person may do about them. */
export const peoplePage = (
  context: EntryContext,
  session: Session,
  {
    people,
    invitations,
    lack,
    invited = NOTHING_TYPED,
  }: {
    people: readonly PersonShown[];
    invitations: readonly InvitationShown[];
    /** Why the account can invite nobody; null when it can. */
    lack: string | null;
    invited?: Invited | undefined;
  },
): Html => html`${facts(ROLES.map((role) => [NAMES[role], ROLE_WORDS[role]]))}
<p><a href="${dashboardLink(context, "/people/log")}">What people did</a></p>
<h2>In this account</h2>
${peopleTable(context, session, people)}
${
  invitations.length > 0 &&
  html`<h2>Invitations</h2>
${invitationTable(context, session, invitations)}`
}
${mayDo(session.person.role, "invite people") && invitePart(context, session, { lack, invited })}
<h2>Leave</h2>
${
  isOnlyOwner(session, people)
    ? ONLY_OWNER
    : html`<p>You can leave the account. It stays as it is.</p>
<p><a class="button danger" href="${dashboardLink(context, "/people/leave")}">Leave the account</a></p>`
}`;

const ONLY_OWNER = html`<p>You are the only owner. To leave, make another person an owner first.</p>`;

const ONLY_ROLE = html`<p>You are the only owner. To change your role or leave, make another person an owner first.</p>`;

const NAMES: Readonly<Record<Role, string>> = { owner: "Owner", member: "Member", reader: "Reader" };

const isOnlyOwner = ({ person }: Session, people: readonly PersonShown[]): boolean =>
  person.role === "owner" && people.filter(({ role }) => role === "owner").length === 1;

const peopleTable = (context: EntryContext, { person }: Session, people: readonly PersonShown[]): Html =>
  table({
    label: "People",
    rowsAreCards: true,
    rows: people,
    columns: [
      { head: "Person", cell: ({ id, email }) => html`${email}${id === person.id && " (you)"}` },
      { head: "Role", isStatus: true, cell: ({ role }) => badge(role === "owner" ? "info" : "plain", role) },
      { head: "Joined", cell: ({ joinedAt }) => shownTime(joinedAt.toISOString()) },
      ...(mayDo(person.role, "change roles")
        ? [
            {
              head: "Change",
              isAction: true,
              cell: ({ id, email }: PersonShown) =>
                html`<a href="${dashboardLink(context, `/people/${id}`)}" aria-label="Change ${email}">Change</a>`,
            },
          ]
        : []),
    ],
  });

const invitationTable = (
  context: EntryContext,
  session: Session,
  invitations: readonly InvitationShown[],
): Html =>
  table({
    label: "Invitations",
    rowsAreCards: true,
    rows: invitations,
    columns: [
      { head: "Address", cell: ({ email }) => email },
      { head: "Role", cell: ({ role }) => role },
      {
        head: "Mailed",
        isWide: true,
        cell: ({ sentAt, invitedBy }) => html`${shownTime(sentAt.toISOString())} for ${invitedBy}`,
      },
      {
        head: "Valid until",
        cell: ({ expiresAt }) =>
          html`${expiresAt <= context.clock.now() && badge("warn", "expired")} ${shownTime(expiresAt.toISOString())}`,
      },
      ...(mayDo(session.person.role, "invite people")
        ? [
            {
              head: "Change",
              isAction: true,
              cell: (invitation: InvitationShown) => invitationForms(context, session, invitation),
            },
          ]
        : []),
    ],
  });

const invitationForms = (
  context: EntryContext,
  session: Session,
  { id, email }: InvitationShown,
): Html => html`<form class="row" method="post" action="${dashboardLink(context, `/people/invitations/${id}/again`)}">
${formToken(session)}
<button class="quiet small" aria-label="Send again to ${email}">Send again</button>
<button class="danger small" formaction="${dashboardLink(context, `/people/invitations/${id}/withdraw`)}" aria-label="Withdraw ${email}">Withdraw</button>
</form>`;

const invitePart = (
  context: EntryContext,
  session: Session,
  { lack, invited }: { lack: string | null; invited: Invited },
): Html => html`<h2>Invite a person</h2>
${lack === null ? inviteForm(context, session, invited) : html`<p>${lack}</p>`}`;

const inviteForm = (
  context: EntryContext,
  session: Session,
  { typed, mistakes }: Invited,
): Html => html`<p>We mail a link that works once, within ${INVITATION_DAYS} days.</p>
<form class="stack" method="post" action="${dashboardLink(context, "/people")}">
${formToken(session)}
${field({ name: "email", label: ADDRESS, type: "email", value: typed.email, maxLength: 254, isRequired: true, ...wrongIn(mistakes, "email") })}
${choice({ name: "role", label: "Role", value: typed.role, choices: ROLE_CHOICES, ...wrongIn(mistakes, "role") })}
<button>Invite</button>
</form>`;

const ROLE_CHOICES = ROLES.map((role) => [role, NAMES[role]] as const);

/** The page of one person: their role, and for owners what to change. */
export const personPage = (
  context: EntryContext,
  session: Session,
  person: PersonShown,
  people: readonly PersonShown[],
): Html => html`${backTo(dashboardLink(context, "/people"), "People")}<h1>${person.email}</h1>
${facts([
  ["Role", roleSentence(person.role)],
  ["Joined", shownTime(person.joinedAt.toISOString())],
])}
${mayDo(session.person.role, "change roles") && (person.id === session.person.id && isOnlyOwner(session, people) ? ONLY_ROLE : changeParts(context, session, person))}`;

const changeParts = (context: EntryContext, session: Session, { id, email, role }: PersonShown): Html => {
  const address = dashboardLink(context, `/people/${id}`);
  return html`<h2>Change the role</h2>
<form class="stack" method="post" action="${address}/role">
${formToken(session)}
${choice({ name: "role", label: "Role", value: role, choices: ROLE_CHOICES })}
<button>Save</button>
</form>
<h2>Remove from the account</h2>
<p>${email} will be signed out at once. Keys, endpoints and watchlists stay as they are: revoke the keys that this person knows.</p>
${confirmForm(session, { button: `Remove ${email}`, cancel: dashboardLink(context, "/people"), action: `${address}/remove` })}`;
};

/** The page that asks before a person leaves, or says why they cannot. */
export const confirmLeaving = (
  context: EntryContext,
  session: Session,
  people: readonly PersonShown[],
): Html => html`${backTo(dashboardLink(context, "/people"), "People")}<h1>Leave the account</h1>
${
  isOnlyOwner(session, people)
    ? ONLY_OWNER
    : html`<p>You will be signed out of <strong>${session.accountName}</strong>, and can come back only when an owner invites you again. Its keys,
endpoints and watchlists stay as they are.</p>
${confirmForm(session, { button: `Leave ${session.accountName}`, cancel: dashboardLink(context, "/people") })}`
}`;
