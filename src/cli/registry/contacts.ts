import { Command } from "commander";
import {
  type AgentContact,
  addAgentContact,
  listAgentContacts,
  removeAgentContact,
} from "../../registry/contacts/agent-contacts.ts";
import { print, table } from "../print.ts";
import { withContext } from "../with-context.ts";

interface Flags {
  note?: string;
  json?: boolean;
}

export function contactsCommand(): Command {
  const contacts = new Command("contacts").description(
    "Contacts of process agents, filing and dispatch services; the next import blanks them in every feed",
  );
  contacts
    .command("list")
    .description("Show the contacts")
    .option("--json", "print as JSON")
    .action((flags: Flags) =>
      withContext(async (context) => {
        const listed = await listAgentContacts(context);
        print(listed, flags, () => table(["kind", "value", "note", "from"], listed.map(cells)));
      }),
    );
  contacts
    .command("add <contact>")
    .description("Add a phone number or an e-mail domain")
    .option("--note <text>", "whose contact it is")
    .option("--json", "print as JSON")
    .action((contact: string, flags: Flags) =>
      withContext(async (context) => {
        const added = await addAgentContact(context, contact, flags.note ?? null);
        print(added, flags, () => [`The next import blanks ${added.value}.`]);
      }),
    );
  contacts
    .command("remove <contact>")
    .description("Remove a contact from the list")
    .option("--json", "print as JSON")
    .action((contact: string, flags: Flags) =>
      withContext(async (context) => {
        const removed = await removeAgentContact(context, contact);
        print(removed, flags, () => [`After the next import, ${removed.value} may appear again.`]);
      }),
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
