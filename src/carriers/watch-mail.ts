// The daily mail of what changed at an account's watched carriers: at most one for each day of the registry. The outbox has which
// changes it is about; its text is made when it is sent, so a mail that waited has nothing of a business that was removed meanwhile.
import { callerOfAccount } from "../accounts/keys/caller.ts";
import type { Maker } from "../accounts/people/account-log.ts";
import { mailOwners } from "../accounts/people/owner-mail.ts";
import { isFreshDetection, newestDetection } from "../events/detection.ts";
import type { Context } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { keepTrying } from "../platform/database/keep-trying.ts";
import { ProblemError } from "../platform/http/problem.ts";
import type { Composer } from "../platform/mail/mailer.ts";
import { countOf, shownCount } from "../platform/plural.ts";
import { listMailsDue, type MailDue, moveMail, startMail } from "../watchlists/mail-state.ts";
import { requirePaidMonth } from "../watchlists/pay-for-month.ts";
import { changeSentence } from "./change-words.ts";
import {
  type ChangesBetween,
  companyNames,
  newestChangeId,
  readChangesBetween,
  type WatchedChange,
} from "./watched-changes.ts";

const LOOK_EVERY_MS = 60_000;
/** As many changes as a person reads in a mail. */
const MOST_IN_MAIL = 50;

/** Switches the daily mail of an account on. It begins with the next day of the registry. */
export async function startWatchMail(context: Context, accountId: number, maker?: Maker): Promise<void> {
  const [lastChangeId, detection] = await Promise.all([newestChangeId(context), newestDetection(context)]);
  await startMail(context, accountId, { lastChangeId, asOf: detection?.asOf ?? null }, maker);
}

/** Queues the mails of a day soon after its import, until the returned function is called. */
export const keepMailing = (context: Context): (() => Promise<void>) =>
  keepTrying(context, LOOK_EVERY_MS, {
    work: () => mailChanges(context),
    failure: "Mails of changes could not be queued. Trying again.",
  });

/**
 * Queues the mails of the newest day of the registry that no process has queued yet. An account whose quota does not have the
 * month's rows of its watched carriers is tried again later. Throws the first error that is not about an account's plan, after
 * the mails of the others.
 */
export async function mailChanges(context: Context): Promise<void> {
  const detection = await newestDetection(context);
  if (detection === null || !isFreshDetection(context, detection)) return;
  let failure: unknown = null;
  for (const due of await listMailsDue(context, detection.asOf)) {
    try {
      await mailAccount(context, due, detection.asOf);
    } catch (error) {
      if (toDatabaseError(error) instanceof DatabaseUnavailableError) throw error;
      // One account's fault does not keep the mails of others back.
      if (!(error instanceof ProblemError)) failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

const PURPOSE = "carrier_changes";

/** What the outbox keeps of a mail: whose it is, and which changes it tells. */
interface QueuedChanges extends ChangesBetween {
  accountId: number;
  asOf: string;
}

async function mailAccount(context: Context, due: MailDue, asOf: string): Promise<void> {
  const { accountId, lastChangeId } = due;
  const caller = await callerOfAccount(context, accountId);
  await requirePaidMonth(context, caller);
  const newestId = await newestChangeId(context);
  const { count } = await readChangesBetween(context, caller, { lastChangeId, newestId, most: 0 });
  await context.db.transaction(async (client) => {
    if (!(await moveMail(client, due, { lastChangeId: newestId, asOf }))) return;
    if (count === 0) return;
    const queued: QueuedChanges = { accountId, lastChangeId, newestId, asOf };
    await mailOwners(client, accountId, {
      purpose: PURPOSE,
      now: context.clock.now(),
      subject: "Changes of carriers that you watch",
      body: JSON.stringify(queued),
    });
  });
}

/** Makes the text of a queued mail. Null when none of its changes may be shown any more. */
async function composeMail(context: Context, queued: string): ReturnType<Composer> {
  // An earlier release queued the text itself. What was removed since can't be taken out of it.
  if (!queued.startsWith("{")) return null;
  const { accountId, asOf, ...between } = JSON.parse(queued) as QueuedChanges;
  const caller = await callerOfAccount(context, accountId);
  const { changes, count } = await readChangesBetween(context, caller, { ...between, most: MOST_IN_MAIL });
  if (count === 0) return null;
  const names = await companyNames(context, changes);
  const { publicUrl } = context.config;
  return {
    subject: `${countOf(count, "change")} of carriers that you watch`,
    body: mailText({ changes, count, names, asOf, publicUrl }),
  };
}

/** How the mailer makes the text of these mails. */
export const WATCH_MAIL_COMPOSERS: Readonly<Record<string, Composer>> = { [PURPOSE]: composeMail };

interface MailText {
  changes: readonly WatchedChange[];
  /** All changes, also those that the mail does not show. */
  count: number;
  names: ReadonlyMap<string, string>;
  asOf: string;
  publicUrl: string;
}

function mailText({ changes, count, names, asOf, publicUrl }: MailText): string {
  const here = `${publicUrl}/dashboard/watchlists`;
  const companies = [...Map.groupBy(changes, ({ usdot }) => usdot)].map(
    ([usdot, own]) =>
      `${names.get(usdot) ?? "A carrier"}, USDOT ${usdot}\n${own.map((change) => `- ${changeSentence(change)}\n`).join("")}`,
  );
  const more = count - changes.length;
  return `The registry of ${asOf} has ${countOf(count, "change")} of carriers on your watchlists.

${companies.join("\n")}${more > 0 ? `\nand ${shownCount(more)} more: ${here}\n` : ""}
Your lists and their newest changes: ${here}
You get this mail once a day when something changed. Switch it off on the same page.
`;
}
