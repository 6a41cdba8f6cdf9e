import { readFileSync } from "node:fs";
import type pg from "pg";
import { parse } from "yaml";
import * as sql from "../../generated/sql/registry/contacts.ts";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { readEmail } from "./contact.ts";

type AgentContactKind = "phone" | "email" | "email_domain";

export interface AgentContact {
  kind: AgentContactKind;
  value: string;
  note: string | null;
  /** True for contacts that come with the program (agents.yaml), false for an operator's own. */
  shipped: boolean;
  /** True for contacts of companies that the BOC-3 filings name as process agents. */
  fromFilings: boolean;
}

interface ShippedAgents {
  phones: { value: string; note: string }[];
  emailDomains: { value: string; note: string }[];
  /** Domains of which anybody can have an address: one such address of an agent says nothing about the others. */
  publicEmailDomains: string[];
}

const shippedAgents = (): ShippedAgents =>
  parse(readFileSync(new URL("agents.yaml", import.meta.url), "utf8")) as ShippedAgents;

/** Domains of large providers, of which anybody can have an address. */
export const publicEmailDomains = (): readonly string[] => shippedAgents().publicEmailDomains;

/** Replaces the shipped entries. Operators' own entries stay as they are. */
export async function loadShippedAgents(client: pg.ClientBase): Promise<void> {
  const shipped = shippedAgents();
  const entries = [
    ...shipped.phones.map((entry) => ({ kind: "phone", ...entry })),
    ...shipped.emailDomains.map((entry) => ({ kind: "email_domain", ...entry })),
  ];
  await sql.deleteShipped(client);
  await sql.insertShipped(client, { entries: JSON.stringify(entries) });
}

/**
 * Lists the contacts of process agents again. An agent is a company that the BOC-3 filings of more than 5 companies name.
 * Its contacts are those that the census company of the same name and state files.
 * Operators' own and shipped entries stay as they are. Runs in the import's transaction, after the merges.
 */
export async function findAgentContacts(client: pg.ClientBase): Promise<void> {
  await sql.deleteFiled(client);
  // One statement that also inserts would not share the search of the census among processes.
  const agents = await sql.findAgents(client, {
    marks: MARKS,
    mostUsdots: MOST_FILINGS,
  });
  const contacts = await sql.findAgentContacts(client, {
    names: agents.map(({ name }) => name),
    states: agents.map(({ state }) => state),
    companies: agents.map(({ companies }) => companies),
    marks: MARKS,
    publicEmailDomains: [...publicEmailDomains()],
  });
  await sql.insertFiled(client, {
    kinds: contacts.map(({ kind }) => kind),
    values: contacts.map(({ value }) => value),
    companies: contacts.map(({ companies }) => companies),
  });
}

/** A company that is named in the filings of no more companies is none of the agents. */
const MOST_FILINGS = 5;
/** Names of agents and companies are compared without these. */
const MARKS = ` .,'"&-/()`;

export function listAgentContacts(context: Context): Promise<AgentContact[]> {
  return context.db.prisma.agentContact.findMany({ orderBy: [{ kind: "asc" }, { value: "asc" }] }) as Promise<
    AgentContact[]
  >;
}

/**
 * Adds an operator's entry; it takes effect with the next import. Without a note, an entry that is there keeps its own, and
 * one that comes with the program stays the program's. OperatorError for the domain of a public mail service:
 * it would blank everybody's address there.
 */
export async function addAgentContact(
  context: Context,
  text: string,
  note: string | null,
): Promise<AgentContact> {
  const contact = { ...agentContactFrom(text), note, shipped: false, fromFilings: false };
  if (contact.kind === "email_domain" && publicEmailDomains().includes(contact.value))
    throw new OperatorError(
      `Everybody can have an address at ${contact.value}; name the address itself, such as name@${contact.value}.`,
    );
  const added = await context.db.prisma.agentContact.upsert({
    where: { kind_value: { kind: contact.kind, value: contact.value } },
    create: contact,
    // An import would drop an entry of filings once they have ended.
    update: { fromFilings: false, ...(note !== null && { note, shipped: false }) },
  });
  return added as AgentContact;
}

export async function removeAgentContact(context: Context, text: string): Promise<AgentContact> {
  const { kind, value } = agentContactFrom(text);
  const found = await context.db.prisma.agentContact.findUnique({ where: { kind_value: { kind, value } } });
  if (!found) throw new OperatorError(`${value} is not on the list; \`tdf contacts list\` shows what is.`);
  if (found.shipped) throw new OperatorError(`${value} comes with the program and cannot be removed.`);
  if (found.fromFilings)
    throw new OperatorError(`${value} is of a process agent in the BOC-3 filings and cannot be removed.`);
  await context.db.prisma.agentContact.delete({ where: { kind_value: { kind, value } } });
  return found as AgentContact;
}

/** Reads a ten-digit phone in any spelling, an e-mail domain with or without @, or an address at a public mail service. */
function agentContactFrom(text: string): { kind: AgentContactKind; value: string } {
  const digits = text.replace(/\D/g, "").replace(/^1(?=\d{10}$)/, "");
  if (/^[\d\s()+.-]+$/.test(text) && digits.length === 10) return { kind: "phone", value: digits };
  const domain = text.trim().toLowerCase().replace(/^.*@/, "");
  const address = readEmail(text);
  if (address !== null && publicEmailDomains().includes(domain)) return { kind: "email", value: address };
  if (/^([a-z0-9-]{1,63}\.)+[a-z]{2,24}$/.test(domain)) return { kind: "email_domain", value: domain };
  throw new OperatorError(
    `"${text}" is none of these: a US phone number of ten digits, an e-mail domain, or an address at a public mail service.`,
  );
}
