// Lists of the operator's page that are longer than what it shows.
import { afterAll, beforeAll, expect, it } from "vitest";
import { monthStartOf } from "../../../../src/platform/clock.ts";
import { operatorSignInLink } from "../../../../src/watch/operator-sign-in.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The text of the operator's page, without its tags. */
async function adminPage(): Promise<string> {
  const link = new URL(await operatorSignInLink(service.context)).pathname;
  const signedIn = await fetch(service.url + link, { method: "POST", redirect: "manual" });
  const cookie = (signedIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  return (await (await service.get("/admin", undefined, { Cookie: cookie })).text()).replace(/<[^>]*>/g, "");
}

// An hour without a mail server gives up hundreds; the page told of the 20 that its list shows.
it("counts every mail that failed, and says that the list shows the newest", async () => {
  const at = service.clock.now();
  const failed = {
    purpose: "sign_in",
    recipient: "a@freight.example",
    subject: "-",
    lastError: "ECONNECTION",
  };
  await service.context.db.prisma.mailOutbox.createMany({
    data: Array.from({ length: 57 }, () => ({ ...failed, createdAt: at, dueAt: at, failedAt: at })),
  });
  const page = await adminPage();
  expect(page).toContain("57 mails could not be sent within 7 days");
  expect(page).toContain("The newest 20 of 57.");
});

it("says that more requests for access wait than the list shows", async () => {
  const at = service.clock.now();
  const { accountId } = await service.createAccount();
  await service.context.db.prisma.accessRequest.createMany({
    data: Array.from({ length: 53 }, (_, index) => ({
      state: "waiting",
      accountId,
      mailbox: `ada${index}@freight.example`,
      tokenHash: Buffer.from(`token ${index}`),
      expiresAt: at,
      name: "Ada",
      company: "Ada Freight",
      email: `ada${index}@freight.example`,
      purpose: "Find carriers.",
      requestedAt: at,
      confirmedAt: at,
    })),
  });
  expect(await adminPage()).toContain("The oldest 50 of 53. tdf access list shows all.");
});

it("says that more accounts near their quota and more failing endpoints wait than the lists show", async () => {
  const { prisma } = service.context.db;
  const at = service.clock.now();
  const { accountId } = await service.createAccount();
  const { planCode } = await prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  const { rowsPerMonth } = await prisma.plan.findUniqueOrThrow({ where: { code: planCode } });
  const month = new Date(monthStartOf(at));
  const accounts = await prisma.account.createManyAndReturn({
    data: Array.from({ length: 52 }, (_, index) => ({
      name: `Near ${index}`,
      planCode,
      licenceRef: `NEAR-${index}`,
      createdAt: at,
    })),
  });
  await prisma.usageMonth.createMany({
    data: accounts.map(({ id }) => ({
      accountId: id,
      month,
      apiRows: rowsPerMonth,
      exportRows: 0,
      quotaRows: rowsPerMonth,
    })),
  });
  await prisma.webhookEndpoint.createMany({
    data: Array.from({ length: 51 }, (_, index) => ({
      accountId,
      url: `https://hooks.freight.example/${index}`,
      active: false,
      disabledReason: "paused_by_customer",
      secretSealed: Buffer.of(0),
      secretPrefix: "whsec_",
      createdAt: at,
      pausedAt: at,
      afterEventId: 0n,
    })),
  });
  const page = await adminPage();
  expect(page).toContain("The fullest 50 of 52.");
  expect(page).toContain("The 50 in trouble last, of 51.");
});
