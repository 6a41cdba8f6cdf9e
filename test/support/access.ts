import { confirmAccess } from "../../src/accounts/access/confirm.ts";
import { requestAccess } from "../../src/accounts/access/request.ts";
import type { Context } from "../../src/platform/context.ts";
import { newAddress } from "./removals/opt-outs.ts";

/** The path of the link in the newest mail that confirms a request of an address. */
export async function accessLinkTo({ db }: Context, recipient: string): Promise<string> {
  const mail = await db.prisma.mailOutbox.findFirst({
    where: { recipient, purpose: "access_confirmation" },
    orderBy: { id: "desc" },
  });
  return /\/request-access\/[\w-]+/.exec(mail?.body ?? "")?.[0] ?? "";
}

/** Requests access for an address, and confirms it if asked to. */
export async function askForAccess(
  context: Context,
  email: string,
  { confirms = false } = {},
): Promise<{ id: number; path: string; accountId: number | null }> {
  const asked = {
    name: "Ada Lovelace",
    company: "Ada Freight",
    email,
    purpose: "Find new carriers.\nIn Texas.",
  };
  await requestAccess(context, newAddress(), asked, "growth");
  const path = await accessLinkTo(context, email);
  const confirmed = confirms ? await confirmAccess(context, path.split("/").at(-1) ?? "") : null;
  const accountId = confirmed?.accountId ?? null;
  const row = await context.db.prisma.accessRequest.findFirst({ where: { email }, orderBy: { id: "desc" } });
  return { id: row?.id ?? 0, path, accountId };
}
