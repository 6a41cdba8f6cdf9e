// The people of an account. Whoever is removed is signed out by the same commit, since a session belongs to a person. An open
// account always has an owner: changes of its people come one after the other, and one that would leave none is refused.
import * as sql from "../../generated/sql/accounts/people.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import {
  ACCOUNT_IS_CLOSED,
  checkedEmail,
  lockOpenAccount,
  readAccount,
  requireOpenAccount,
} from "../accounts.ts";
import { eraseInvitationsTo, eraseMailsTo } from "../erased-mails.ts";
import { type Doer, type Person, recordAction } from "./account-log.ts";
import type { Role } from "./roles.ts";

export type PersonShown = sql.PeopleOfRow;

/** People and invitations that an account may have together. */
const MOST_PEOPLE = 50;

/** The people of an account, those who joined first before the others. */
export async function listPeople({ db }: Context, accountId: number): Promise<PersonShown[]> {
  const people = await db.prisma.person.findMany({
    where: { accountId },
    omit: { accountId: true },
    orderBy: { id: "asc" },
  });
  return people.map((person) => ({ ...person, role: person.role as Role }));
}

/** The addresses of the account's owners, which its mails go to. */
export const ownersOf = async (context: Context, accountId: number): Promise<string[]> =>
  (await listPeople(context, accountId)).filter(({ role }) => role === "owner").map(({ email }) => email);

/**
 * Locks an open account until the transaction ends, so that nobody else changes its people, and returns them. With a person,
 * that person must still be an owner. OperatorError.
 */
export async function lockPeople(client: Queryable, { accountId, person }: Doer): Promise<PersonShown[]> {
  if (!(await lockOpenAccount(client, accountId))) throw new OperatorError(ACCOUNT_IS_CLOSED);
  const people = await sql.peopleOf(client, { accountId });
  if (person === undefined || people.some(({ id, role }) => id === person.id && role === "owner"))
    return people;
  throw new OperatorError("You are no longer an owner of this account, so nothing was changed.");
}

/** Gives a person another role; null when the account has no such person. OperatorError for the last owner. */
export async function changeRole(
  context: Context,
  doer: Doer,
  { personId, role }: { personId: number; role: Role },
): Promise<PersonShown | null> {
  return context.db.transaction(async (client) => {
    const people = await lockPeople(client, doer);
    const person = people.find(({ id }) => id === personId);
    if (person === undefined) return null;
    if (person.role === role) return person;
    const now = context.clock.now();
    if (role !== "owner") await endOwnership(client, doer.accountId, { people, person, now });
    await sql.changeRole(client, { personId, role });
    const subject = `${person.email}: ${person.role} → ${role}`;
    await recordAction(client, doer, { action: "role_changed", subject, now });
    return { ...person, role };
  });
}

/** Removes a person with their sessions and mails; null when the account has no such person. OperatorError for the last owner. */
export async function removePerson(
  context: Context,
  doer: Doer,
  personId: number,
): Promise<PersonShown | null> {
  return context.db.transaction(async (client) => {
    const people = await lockPeople(client, doer);
    const person = people.find(({ id }) => id === personId);
    if (person === undefined) return null;
    const now = context.clock.now();
    await endOwnership(client, doer.accountId, { people, person, now });
    await eraseMailsTo(client, await sql.deletePerson(client, { personId }), now);
    await recordAction(client, doer, { action: "removed", subject: person.email, now });
    return person;
  });
}

/** Lets a person leave the account, whatever their role is; their mails are erased. OperatorError for the last owner. */
export async function leaveAccount(
  context: Context,
  { accountId, person }: { accountId: number; person: Person },
): Promise<void> {
  await context.db.transaction(async (client) => {
    const people = await lockPeople(client, { accountId });
    const leaving = people.find(({ id }) => id === person.id);
    if (leaving === undefined) return;
    const now = context.clock.now();
    await endOwnership(client, accountId, { people, person: leaving, now });
    await eraseMailsTo(client, await sql.deletePerson(client, { personId: person.id }), now);
    await recordAction(client, { accountId, person }, { action: "left", subject: null, now });
  });
}

/** Adds a person by the word of an operator, without an invitation. OperatorError. */
export async function addPerson(
  context: Context,
  accountId: number,
  asked: { email: string; role: Role },
): Promise<PersonShown> {
  const email = checkedEmail(asked.email);
  requireOpenAccount(await readAccount(context, accountId));
  return context.db.transaction(async (client) => {
    const people = await lockPeople(client, { accountId });
    requireNew(people, email);
    await requireRoom(client, accountId, { people, email });
    const joinedAt = context.clock.now();
    const { role } = asked;
    const { id } = await insertPerson(client, { accountId, email, role, joinedAt });
    return { id, email, role, joinedAt };
  });
}

/** The person of an account with that address. OperatorError when there is none. */
export async function personNamed(context: Context, accountId: number, email: string): Promise<PersonShown> {
  const people = await listPeople(context, (await readAccount(context, accountId)).id);
  const person = people.find((each) => isSameAddress(each.email, email.trim()));
  if (person) return person;
  throw new OperatorError(
    `The account ${accountId} has no person with this address; "account person list" shows them.`,
  );
}

/** OperatorError when the address is one of the people's. */
export function requireNew(people: readonly PersonShown[], email: string): void {
  if (!people.some((person) => isSameAddress(person.email, email))) return;
  throw new OperatorError("A person with this address is in the account already.");
}

/** OperatorError when the account has as many people and invitations to other addresses as it may have. */
export async function requireRoom(
  client: Queryable,
  accountId: number,
  { people, email }: { people: readonly PersonShown[]; email: string },
): Promise<void> {
  const { count } = await sql.countInvitations(client, { accountId, email });
  if (people.length + count < MOST_PEOPLE) return;
  throw new OperatorError(
    `An account may have ${MOST_PEOPLE} people and invitations. Remove a person or withdraw an invitation first.`,
  );
}

/** Inserts a person unless the account, which is locked, has the address already. Returns the one that it has then. */
export async function insertPerson(
  client: Queryable,
  person: { accountId: number; email: string; role: Role; joinedAt: Date },
): Promise<Person> {
  const known = (await sql.peopleOf(client, person)).find(({ email }) => isSameAddress(email, person.email));
  if (known) return known;
  const { id } = await sql.insertPerson(client, person);
  return { id, email: person.email, role: person.role };
}

/** People type an address in any case. */
const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Refuses the last owner. What an owner invited and nobody accepted ends with the ownership. */
async function endOwnership(
  client: Queryable,
  accountId: number,
  { people, person, now }: { people: readonly PersonShown[]; person: PersonShown; now: Date },
): Promise<void> {
  if (person.role !== "owner") return;
  if (people.filter(({ role }) => role === "owner").length === 1) {
    throw new OperatorError(
      `${person.email} is the only owner of the account. Make another person an owner first. Nothing was changed.`,
    );
  }
  await withdrawInvitations(client, { accountId, email: person.email, now });
}

/** Withdraws what an address of the account has invited, in the caller's transaction. Its mails that wait are not sent. */
export async function withdrawInvitations(
  client: Queryable,
  { accountId, email, now }: { accountId: number; email: string; now: Date },
): Promise<void> {
  await eraseInvitationsTo(client, await sql.withdrawInvitationsOf(client, { accountId, email }), now);
}
