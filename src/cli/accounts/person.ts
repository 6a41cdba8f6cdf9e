import { Command } from "commander";
import { readAccount } from "../../accounts/accounts.ts";
import {
  addPerson,
  changeRole,
  listPeople,
  personNamed,
  removePerson,
} from "../../accounts/people/people.ts";
import { ROLE_WORDS, ROLES, type Role, roleOf, withArticle } from "../../accounts/people/roles.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { accountIdFrom } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

/** The commands about the people of an account. */
export function personCommand(): Command {
  const person = new Command("person").description("People of an account").addHelpText(
    "after",
    `
Roles:
${ROLES.map((role) => `  ${role}: ${ROLE_WORDS[role]}`).join("\n")}`,
  );
  reporting(
    person.command("list <account>").description("Show the people of an account"),
    async (context, id: string) => {
      const account = await readAccount(context, accountIdFrom(id));
      const people = (await listPeople(context, account.id)).map(({ joinedAt, ...rest }) => ({
        ...rest,
        joined_at: joinedAt.toISOString(),
      }));
      const lines = table(
        ["e-mail", "role", "joined"],
        people.map(({ email, role, joined_at }) => [email, role, joined_at]),
      );
      return { value: people, lines };
    },
  );
  changing(
    withRole(
      person
        .command("add <account>")
        .description("Add a person at once, without an invitation; they sign in by a link to their address"),
    ),
    async (context, id: string, { email, role }: Named & { role: string }) => {
      const added = await addPerson(context, accountIdFrom(id), { email, role: checkedRole(role) });
      return {
        value: { id: added.id, role: added.role },
        lines: [`The person is ${withArticle(added.role)} of account ${id}.`],
      };
    },
  );
  changing(
    withRole(person.command("role <account>").description("Give a person another role")),
    async (context, id: string, { email, role }: Named & { role: string }) => {
      const accountId = accountIdFrom(id);
      const { id: personId } = await personNamed(context, accountId, email);
      const to = checkedRole(role);
      await changeRole(context, { accountId }, { personId, role: to });
      return {
        value: { id: personId, role: to },
        lines: [`The person is ${withArticle(to)} of account ${id} now.`],
      };
    },
  );
  changing(
    named(
      person
        .command("remove <account>")
        .description("Remove a person from an account and end their sessions"),
    ),
    async (context, id: string, { email }: Named) => {
      const accountId = accountIdFrom(id);
      const { id: personId } = await personNamed(context, accountId, email);
      await removePerson(context, { accountId }, personId);
      return { value: { id: personId }, lines: [`The person is removed from account ${id}.`] };
    },
  );
  return person;
}

interface Named {
  email: string;
}

const named = (command: Command): Command =>
  command.requiredOption("--email <address>", "the e-mail address of the person");

const withRole = (command: Command): Command =>
  named(command).requiredOption("--role <role>", ROLES.join(", "));

function checkedRole(text: string): Role {
  const role = roleOf(text);
  if (role === null)
    throw new OperatorError(`There is no role "${text}"; choose one of ${ROLES.join(", ")}.`);
  return role;
}
