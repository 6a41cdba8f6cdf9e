import type { FeedState } from "../feeds/versions/feeds-list.ts";
import { type NewestRun, newestOf, refusedSincePublished } from "../importer/runs.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { countOf } from "../platform/plural.ts";
import { FRESHNESS_DAYS } from "../registry/freshness.ts";
import { LATELY_DAYS } from "../webhooks/endpoints/troubled.ts";
import { type Facts, MAILS_TOLD_DAYS } from "./facts.ts";

/** An import is due every day. It is late after this time, which is long before a feed is stale. */
export const IMPORT_DUE_HOURS = 48;
/** So long before a feed becomes stale, its operator is told. */
const TOLD_BEFORE_STALE_MS = DAY_MS;
/** A backup is late after this time, where one was made before. */
export const BACKUP_DUE_HOURS = 48;
export const MAIL_DUE_MINUTES = 15;
export const DELIVERY_DUE_SECONDS = 120;
/** A few endpoints fail by their receivers' fault. More of them at once may be ours. */
export const MOST_PAUSED_ENDPOINTS = 3;

/** Something that an operator has to know, while it lasts. */
export interface Finding {
  /** Another occurrence, such as another refused import, has another name. */
  name: string;
  /** `bad`: customers miss something, or a person has to decide. */
  grade: "bad" | "warn";
  /** A sentence. */
  what: string;
  /** What to do, as sentences. */
  todo: string;
  /** It is mailed to OPERATOR_EMAIL. */
  isMailed: boolean;
}

/** Everything that an operator has to know at a time, the worst first. */
export function findingsOf(facts: Facts, now: Date): Finding[] {
  const found = [
    ...feedFindings(facts, now),
    ...importFindings(facts, now),
    ...requestFindings(facts),
    ...deliveryFindings(facts),
    ...mailFindings(facts, now),
    ...backupFindings(facts, now),
  ];
  return [...found.filter(({ grade }) => grade === "bad"), ...found.filter(({ grade }) => grade === "warn")];
}

/** The state of the service in one line. */
export interface Verdict {
  grade: "good" | "warn" | "bad";
  text: string;
}

export function verdictOf({ feeds }: Pick<Facts, "feeds">, findings: readonly Finding[]): Verdict {
  const served = feeds.filter(({ isServed }) => isServed).length;
  const feedsServed = `${served} of ${countOf(feeds.length, "feed")} served`;
  const bad = findings.filter(({ grade }) => grade === "bad").length;
  const warn = findings.length - bad;
  if (findings.length === 0) return { grade: "good", text: `All is well: ${feedsServed}, nothing to do.` };
  if (bad === 0) return { grade: "warn", text: `${countOf(warn, "thing")} to look at; ${feedsServed}.` };
  const also = warn === 0 ? "" : `, ${warn} more to look at`;
  return { grade: "bad", text: `${countOf(bad, "thing")} to do now${also}; ${feedsServed}.` };
}

const IMPORT_FILES = "`tdf registry download --out FOLDER`, then `tdf import --dir FOLDER`.";
const IMPORT_NEWER = `Import newer files: ${IMPORT_FILES} \`tdf status --all\` names the file that is old.`;

/** Feeds of one as-of day become stale together, so they are one finding. */
function feedFindings({ feeds }: Facts, now: Date): Finding[] {
  const byDay = Map.groupBy(
    feeds.filter(({ asOf }) => asOf !== null),
    ({ asOf }) => asOf ?? "",
  );
  const ageing = [...byDay].flatMap(([asOf, group]) => ageFinding(asOf, group, now));
  const rolledBack = feeds
    .filter(({ rolledBackAt }) => rolledBackAt !== null)
    .map(({ feed, rolledBackAt }) =>
      toLookAt(
        `rolled-back:${feed}`,
        `${feed} was rolled back at ${timeOf(rolledBackAt as Date)}: customers read an older version.`,
        "Find out what was wrong with the newer one. Imports are refused until one of good files has --release.",
      ),
    );
  return [...ageing, ...rolledBack];
}

function ageFinding(asOf: string, feeds: readonly FeedState[], now: Date): Finding[] {
  const staleFrom = feeds[0]?.staleFrom;
  if (!staleFrom || now.getTime() < staleFrom.getTime() - TOLD_BEFORE_STALE_MS) return [];
  const names = feeds.map(({ feed }) => feed).join(", ");
  const isStale = now >= staleFrom;
  return [
    {
      name: `feeds-${isStale ? "stale" : "expiring"}:${asOf}`,
      grade: "bad",
      what: isStale
        ? `Not served since ${timeOf(staleFrom)}, because their newest day ${asOf} is more than ${FRESHNESS_DAYS} days ago: ${names}.`
        : `Not served any more from ${timeOf(staleFrom)} on, because their newest day is ${asOf}: ${names}.`,
      todo: IMPORT_NEWER,
      isMailed: true,
    },
  ];
}

function importFindings({ imports }: Facts, now: Date): Finding[] {
  const published = newestOf(imports, "published");
  const refused = refusedSincePublished(imports);
  const failed = newestOf(imports, "failed");
  const findings: Finding[] = [];
  if (refused !== null) {
    findings.push({
      name: `import-refused:${refused.id}`,
      grade: "bad",
      what: `Import ${refused.id} was refused at ${timeOf(refused.finishedAt ?? refused.startedAt)}, and customers read the data from before: ${refused.refusal ?? ""}`,
      todo: afterRefusal(refused),
      isMailed: true,
    });
  }
  if (failed !== null && failed.id > (refused?.id ?? 0) && failed.id > (published?.id ?? 0)) {
    findings.push(
      toLookAt(
        `import-failed:${failed.id}`,
        `Import ${failed.id} failed at ${timeOf(failed.finishedAt ?? failed.startedAt)}: ${failed.refusal ?? ""}`,
        "Nothing was changed. Run it again, if nothing does so by itself.",
      ),
    );
  }
  const publishedAt = published?.finishedAt ?? null;
  if (publishedAt === null) {
    findings.push(
      toLookAt(
        "nothing-imported",
        "No import has published anything yet.",
        `Import the registry: ${IMPORT_FILES}`,
      ),
    );
  } else if (now.getTime() - publishedAt.getTime() > IMPORT_DUE_HOURS * HOUR_MS) {
    findings.push(
      toLookAt(
        "import-late",
        `The last import was published at ${timeOf(publishedAt)}, more than ${IMPORT_DUE_HOURS} hours ago.`,
        "See why the daily import does not run: its log, and `tdf import list`.",
      ),
    );
  }
  return findings;
}

/** The options are not printed: without those that an import had, such as --difference, its files are read in another way. */
function afterRefusal({ folder, refusedChecks }: NewestRun): string {
  if (refusedChecks.length === 0) return "Do what it says, and import again.";
  const option = refusedChecks.includes("rolled-back")
    ? "--release"
    : refusedChecks.map((name) => `--accept ${name}`).join(" ");
  return (
    `Decide. Import ${folder} again with the options that it had and --preview: that shows all changes besides the refusal. ` +
    `If the files are right, leave out --preview and add ${option}; if not, import newer ones.`
  );
}

/** Something that a person should look at, of which no mail tells. */
const toLookAt = (name: string, what: string, todo: string): Finding => ({
  name,
  grade: "warn",
  what,
  todo,
  isMailed: false,
});

/** What waits for a decision, and what may be misused. Each request for access has a mail of its own. */
function requestFindings({ removals, access }: Facts): Finding[] {
  const { waiting, waiting_since, braked_feeds } = removals;
  const wait = (count: number, one: string, several: string, since: string) =>
    `${countOf(count, one, several)} ${count === 1 ? "waits" : "wait"} for your decision, the oldest since ${since}.`;
  const findings: Finding[] = [];
  if (waiting > 0) {
    const what = wait(waiting, "removal request", "removal requests", waiting_since ?? "");
    findings.push(toLookAt("removals-wait", what, "Decide with `tdf removal review`."));
  }
  if (access.waiting > 0) {
    const since = access.since === null ? "" : timeOf(access.since);
    const what = wait(access.waiting, "request for access", "requests for access", since);
    findings.push(toLookAt("access-waits", what, "Decide at /admin, or with `tdf access`."));
  }
  if (braked_feeds.length > 0) {
    const what = `So many businesses were removed within 24 hours from ${braked_feeds.join(", ")} that requests by phone or e-mail wait.`;
    const todo = "Look at `tdf removal list`: somebody may be misusing the form.";
    findings.push(toLookAt("removals-braked", what, todo));
  }
  return findings;
}

function deliveryFindings({ deliveryWaitsSeconds, pausedEndpoints }: Facts): Finding[] {
  const findings: Finding[] = [];
  if (deliveryWaitsSeconds !== null && deliveryWaitsSeconds > DELIVERY_DUE_SECONDS) {
    findings.push({
      name: "deliveries-wait",
      grade: "bad",
      what: `A webhook delivery has been due for ${Math.round(deliveryWaitsSeconds)} s.`,
      todo: "See that `tdf dispatch` runs, and that its network is up.",
      isMailed: false,
    });
  }
  if (pausedEndpoints > MOST_PAUSED_ENDPOINTS) {
    findings.push({
      name: "endpoints-paused",
      grade: "bad",
      what: `${pausedEndpoints} endpoints were paused within ${LATELY_DAYS} days because their deliveries failed.`,
      todo: "So many at once may be our fault: look at the reasons with `tdf webhook deliveries ID`, and at the dispatcher's way out. `tdf webhook list` names the endpoints; `tdf webhook enable ID` resumes one.",
      isMailed: true,
    });
  }
  return findings;
}

function mailFindings({ failedMails, failedMailCount, mailWaits }: Facts, now: Date): Finding[] {
  const findings: Finding[] = [];
  if (mailWaits !== null && now.getTime() - mailWaits.createdAt.getTime() > MAIL_DUE_MINUTES * 60_000) {
    findings.push(
      toLookAt(
        "mails-wait",
        `A mail has waited since ${timeOf(mailWaits.createdAt)}${mailWaits.lastError ? `; its last try failed (${mailWaits.lastError})` : ""}.`,
        "See that `tdf serve` or `tdf dispatch` runs, and that the server of SMTP_URL answers or, without SMTP_URL, that DATA_DIR/mail can be written.",
      ),
    );
  }
  const [newest] = failedMails;
  if (newest) {
    findings.push(
      toLookAt(
        "mails-failed",
        `${countOf(failedMailCount, "mail")} could not be sent within ${MAILS_TOLD_DAYS} days; the newest is a ${newest.purpose} (${newest.lastError ?? "no reason"}).`,
        "See SMTP_URL and MAIL_FROM, and whether the recipients' addresses are right.",
      ),
    );
  }
  return findings;
}

function backupFindings({ backupAt }: Facts, now: Date): Finding[] {
  if (backupAt === null || now.getTime() - backupAt.getTime() <= BACKUP_DUE_HOURS * HOUR_MS) return [];
  return [
    toLookAt(
      "backup-late",
      `The last \`tdf backup\` finished at ${timeOf(backupAt)}, more than ${BACKUP_DUE_HOURS} hours ago.`,
      "See why it does not run any more.",
    ),
  ];
}

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
