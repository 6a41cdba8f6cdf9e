import { Command } from "commander";
import {
  type AgentContact,
  addAgentContact,
  listAgentContacts,
  removeAgentContact,
} from "../../registry/contacts/agent-contacts.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";

export function contactsCommand(): Command {
  const contacts = new Command("contacts").description(
    "Contacts of process agents, filing and dispatch services; the next import blanks them in every feed",
  );
  reporting(contacts.command("list").description("Show the contacts"), async (context) => {
    const listed = await listAgentContacts(context);
    return { value: listed, lines: table(["kind", "value", "note", "from"], listed.map(cells)) };
  });
  changing(
    contacts
      .command("add <contact>")
      .description(
        "Add a phone number, an e-mail domain, or an address at a public mail service such as gmail.com",
      )
      .option("--note <text>", "whose contact it is"),
    async (context, contact: string, { note = null }: { note?: string | null }) => {
      const added = await addAgentContact(context, contact, note);
      return { value: added, lines: [`The next import blanks ${added.value}.`] };
    },
  );
  changing(
    contacts.command("remove <contact>").description("Remove a contact from the list"),
    async (context, contact: string) => {
      const removed = await removeAgentContact(context, contact);
      return { value: removed, lines: [`After the next import, ${removed.value} may appear again.`] };
    },
  );
  return contacts;
}

const cells = (contact: AgentContact): string[] => [
  contact.kind,
  contact.value,
  contact.note ?? "",
  originOf(contact),
];

function originOf({ shipped, fromFilings }: AgentContact): string {
  if (fromFilings) return "BOC-3 filings";
  return shipped ? "the program" : "an operator";
}
