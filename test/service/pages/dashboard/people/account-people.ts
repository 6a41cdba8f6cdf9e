import { afterAll, beforeAll, beforeEach } from "vitest";
import { listPeople } from "../../../../../src/accounts/people/people.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { type Visitor, visitorBy } from "../../../../support/visitor.ts";

export const OPERATOR = "night@operator.example";
export const DAY_MS = 86_400_000;
/** The form of a new key. */
export const NEW_KEY = { name: "k", scopes: "feeds:read" };

export let service: TestService;
export let accountId: number;
export let key: string;
export let owner: string;
let accounts = 0;

export const emailOf = (name: string): string => `${name}${accounts}@freight.example`;

/** The path of the link in the newest mail to an address. */
export async function mailedLink(recipient: string, kind = "invitations"): Promise<string> {
  const mail = await service.context.db.prisma.mailOutbox.findFirst({
    where: { recipient, body: { contains: `/dashboard/${kind}/` } },
    orderBy: { id: "desc" },
  });
  return new RegExp(`/dashboard/${kind}/[\\w-]+`).exec(mail?.body ?? "")?.[0] ?? "";
}

export const mailsTo = (recipient: string): Promise<number> =>
  service.context.db.prisma.mailOutbox.count({ where: { recipient } });

export const rolesOf = async (id = accountId) =>
  Object.fromEntries((await listPeople(service.context, id)).map(({ email, role }) => [email, role]));

export const invite = (visitor: Visitor, email: string, role = "member") =>
  visitor.send("/people", { email, role });

export async function joined(visitor: Visitor, name: string, role = "member"): Promise<Visitor> {
  await invite(visitor, emailOf(name), role);
  return visitorBy(service.url, await mailedLink(emailOf(name)));
}

/** The number of a person or an invitation, as the page of people links it. */
export const idOn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";

/** Starts a service, and gives every test an account with an owner. */
export function useAccounts(): void {
  beforeAll(async () => {
    service = await startTestService({ env: { OPERATOR_EMAIL: OPERATOR } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ accountId, key } = await service.createAccount({ feeds: { us_brokers: null } }));
    accounts += 1;
    owner = `olga${accounts}@freight.example`;
    await setOwner(service.context, accountId, owner);
  });
}
