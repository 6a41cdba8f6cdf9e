import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, readAccount } from "../../../src/accounts/accounts.ts";
import { invite } from "../../../src/accounts/invitations/invitations.ts";
import { addPerson, listPeople } from "../../../src/accounts/people/people.ts";
import { signInLink } from "../../../src/accounts/sessions/sign-in-links.ts";
import { chargeRows } from "../../../src/accounts/usage/quota.ts";
import { countRequest, flushUsage } from "../../../src/accounts/usage/usage-counter.ts";
import { saveView } from "../../../src/accounts/views/saved-views.ts";
import { applyShippedPlansOnce } from "../../../src/cli/accounts/plan.ts";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { type Context, entryContextOf } from "../../../src/platform/context.ts";
import { operatorSignInLink } from "../../../src/watch/operator-sign-in.ts";
import { openPresence } from "../../../src/watch/processes.ts";
import { addCarriers } from "../../../src/watchlists/watched-carriers.ts";
import { createList } from "../../../src/watchlists/watchlists.ts";
import { askForAccess } from "../access.ts";
import { callerOf } from "../accounts.ts";
import { settableClock } from "../clock.ts";
import { FEED_CODES } from "../feeds/served-feeds.ts";
import { freePort } from "../network/free-port.ts";
import { putChange } from "../registry/recorded-changes.ts";
import { startTestService, type TestService } from "../service.ts";
import { LOOPBACK_ENV } from "../webhooks/dispatching.ts";
import { routeComponents } from "./components-page.ts";
import { deliver, grants } from "./shown-deliveries.ts";

const FIRST_DAY = "2026-11-18";
const DAYS = 3;
const NOW = "2026-11-20T18:00:00Z";
const DAY_MS = 86_400_000;

/** A service with something on every page, and a customer who is signed in. */
export interface ShownService extends Omit<TestService, "stop"> {
  accountId: number;
  /** The customer's key, which is also the key of the demo. */
  key: string;
  keyId: string;
  /** An endpoint that has had deliveries, and one of them. */
  endpointId: number;
  deliveryId: number;
  /** A business that is in a feed, with events. */
  usdot: number;
  /** A list with that business, some of whose fields changed, and a list without carriers. */
  watchlistId: number;
  emptyWatchlistId: number;
  /** The cookies of the customer's session and of the operator's. */
  sessions: readonly { name: string; value: string }[];
  /** Both, as a browser sends them. */
  cookie: string;
  /** A person of the account beside its owner, and the path of an invitation that nobody has accepted. */
  personId: number;
  invitationPath: string;
  /** The paths of sign-in links that were not used. */
  signInPath: string;
  operatorSignInPath: string;
  /** A request for access that waits for the operator, and the path of the link of another that is not confirmed. */
  accessId: number;
  accessPath: string;
  /** A published import and a refused one. */
  importIds: readonly number[];
  stop(): Promise<void>;
}

/** Starts it: a demo of some days, a customer with usage, keys, an endpoint and deliveries of every outcome. */
export async function startShownService(): Promise<ShownService> {
  const port = await freePort();
  const service = await startTestService({
    port,
    clock: settableClock(NOW),
    morePages: routeComponents,
    env: { ...LOOPBACK_ENV, PUBLIC_URL: `http://127.0.0.1:${port}`, CONTACT_EMAIL: "sales@feeds.example" },
  });
  await importDemo(service);
  await applyShippedPlansOnce(entryContextOf(service.context));
  const { accountId, key, keyId } = await service.createAccount({
    requestsPerMinute: 10_000,
    rowsPerMonth: 50_000,
    feeds: Object.fromEntries(FEED_CODES.map((code) => [code, null])),
  });
  await writeFile(path.join(service.context.config.dataDir, "demo.key"), key);
  await use(service, key);
  const usdot = (await grants(service.context, 1))[0]?.usdot ?? 0;
  const lists = await watch(service.context, key, usdot);
  for (const [name, search] of [
    ["Brokers in Texas", "?state=TX&columns=state,phone"],
    ["All brokers", ""],
  ] as const) {
    await saveView(service.context, accountId, { feedCode: "us_brokers", name, search });
  }
  const { endpointId, deliveryId, stopReceiver } = await deliver(service, accountId);
  await trouble(service, endpointId);
  const { id: accessId } = await askForAccess(service.context, "ada@waiting.example", { confirms: true });
  const { path: accessPath } = await askForAccess(service.context, "bea@late.example");
  const people = await company(service.context, accountId);
  const customer = new URL(await signInLink(service.context, accountId)).pathname;
  const operator = new URL(await operatorSignInLink(service.context)).pathname;
  const sessions = [await signedIn(service, customer), await signedIn(service, operator)];
  return {
    ...service,
    accountId,
    key,
    keyId,
    endpointId,
    deliveryId,
    usdot,
    ...lists,
    ...people,
    sessions,
    cookie: sessions.map(({ name, value }) => `${name}=${value}`).join("; "),
    accessId,
    accessPath,
    importIds: [1, DAYS + 1],
    operatorSignInPath: new URL(await operatorSignInLink(service.context)).pathname,
    signInPath: new URL(await signInLink(service.context, accountId)).pathname,
    stop: async () => {
      await stopReceiver();
      await service.stop();
    },
  };
}

/** A person who may only look, somebody who is invited, another account of the owner, and what people did. */
async function company(context: Context, accountId: number) {
  const [owner] = await listPeople(context, accountId);
  if (owner === undefined) throw new Error("The account has no owner");
  const { id: personId } = await addPerson(context, accountId, {
    email: "rita@freight.example",
    role: "reader",
  });
  const { plan } = await readAccount(context, accountId);
  await createAccount(context, { name: "Ada Brokerage", email: owner.email, planCode: plan });
  const inviter = { accountId, accountName: "Ada Freight", person: owner };
  await invite(context, inviter, { email: "mia@freight.example", role: "member" });
  const mail = await context.db.prisma.mailOutbox.findFirst({ where: { purpose: "person_invited" } });
  return { personId, invitationPath: /\/dashboard\/invitations\/[\w-]+/.exec(mail?.body ?? "")?.[0] ?? "" };
}

async function importDemo({ context, clock }: TestService): Promise<void> {
  const outDir = await mkdtemp(path.join(tmpdir(), "tdf-shown-"));
  try {
    const days = await generateRegistry({ outDir, carriers: 600, seed: 1, firstDay: FIRST_DAY, days: DAYS });
    for (const { date, dir } of days) {
      clock.set(`${date}T12:00:00Z`);
      await importFolder(context, { dir, asOf: date, accept: new Set(), demoFirstDay: FIRST_DAY });
    }
    clock.set(NOW);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** What the operator's page is for: a refused import, a failing endpoint, a mail that failed, an account near its quota. */
async function trouble({ context, clock }: TestService, endpointId: number): Promise<void> {
  const { prisma } = context.db;
  const at = clock.now();
  await prisma.importRun.create({
    data: {
      status: "refused",
      folder: "/data/registry",
      startedAt: at,
      finishedAt: at,
      refusal:
        "us_brokers would lose 900 of 1,000 rows; if that is right, import with --accept feed-jump:us_brokers. Also refused: --accept event-surge.",
      refusedChecks: ["feed-jump:us_brokers", "event-surge"],
    },
  });
  await prisma.webhookEndpoint.update({ where: { id: endpointId }, data: { failureStreak: 3 } });
  await prisma.mailOutbox.create({
    data: {
      purpose: "quota_warning",
      recipient: "a@customer.example",
      subject: "-",
      createdAt: at,
      dueAt: at,
      failedAt: at,
      lastError: "EENVELOPE 550 RCPT TO",
    },
  });
  await openPresence(context, "serve").say();
}

/** A list with a business whose phone and policy changed, and one that is empty. */
async function watch(context: Context, key: string, usdot: number) {
  const caller = await callerOf(context, key);
  const { accountId } = caller;
  const { id: watchlistId } = await createList(context, accountId, { name: "Insured carriers" });
  const { id: emptyWatchlistId } = await createList(context, accountId, { name: "Brokers" });
  await addCarriers(context, { caller, watchlistId }, { usdots: [String(usdot)] });
  const newest = "SELECT coalesce(max(id), 0)::int AS id FROM carrier_change";
  const { rows } = await context.db.pool.query<{ id: number }>(newest);
  const id = rows[0]?.id ?? 0;
  const seenAt = `${NOW.slice(0, 10)}T12:00:00Z`;
  const contact = { usdot, category: "contact", seenAt, before: "5125550142" };
  await putChange(context, { ...contact, id: id + 1, field: "phone", after: "5125550177" });
  await putChange(context, { ...contact, id: id + 2, field: "cell_phone", after: null });
  return { watchlistId, emptyWatchlistId };
}

/** Requests and rows on some days before now. */
async function use({ context, clock }: TestService, key: string): Promise<void> {
  const caller = await callerOf(context, key);
  for (let day = 12; day >= 0; day -= 1) {
    clock.set(new Date(Date.parse(NOW) - day * DAY_MS).toISOString());
    for (let request = 0; request < 3 + ((day * 7) % 11); request += 1) countRequest(context, caller);
    await chargeRows(context, caller, day % 3 === 0 ? "export" : "api", 100 + ((day * 37) % 23) * 100);
  }
  await flushUsage(context);
}

async function signedIn({ url }: TestService, pathname: string): Promise<{ name: string; value: string }> {
  const answer = await fetch(url + pathname, { method: "POST", redirect: "manual" });
  const [name = "", value = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";")[0]?.split("=") ?? [];
  return { name, value };
}
