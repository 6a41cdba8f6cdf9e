import type { FeedState } from "../feeds/versions/feeds-list.ts";
import { newestOf, refusedSincePublished } from "../importer/runs.ts";
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

const IMPORT_NEWER =
  "Import newer files: `tdf registry download --out FOLDER`, then `tdf import --dir FOLDER`. " +
  "`tdf status --all` names the file that is old.";

/** Feeds of one as-of day become stale together, so they are one finding. */
function feedFindings({ feeds }: Facts, now: Date): Finding[] {
  const byDay = Map.groupBy(
    feeds.filter(({ asOf }) => asOf !== null),
    ({ asOf }) => asOf ?? "",
  );
  const ageing = [...byDay].flatMap(([asOf, group]) => ageFinding(asOf, group, now));
  const rolledBack = feeds.flatMap(({ feed, rolledBackAt }): Finding[] =>
    rolledBackAt === null
      ? []
      : [
          toLookAt(
            `rolled-back:${feed}`,
            `${feed} was rolled back at ${timeOf(rolledBackAt)}: customers read an older version.`,
            "Find out what was wrong with the newer one. The next import publishes a new version.",
          ),
        ],
  );
  return [...ageing, ...rolledBack];
}

function ageFinding(asOf: string, feeds: readonly FeedState[], now: Date): Finding[] {
  const staleFrom = feeds[0]?.staleFrom;
  if (!staleFrom || now.getTime() < staleFrom.getTime() - TOLD_BEFORE_STALE_MS) return [];
  const names = feeds.map(({ feed }) => feed).join(", ");
  const since = `since ${timeOf(staleFrom)}`;
  return [
    now >= staleFrom
      ? {
          name: `feeds-stale:${asOf}`,
          grade: "bad",
          what: `Not served ${since}, because their newest day ${asOf} is more than ${FRESHNESS_DAYS} days ago: ${names}.`,
          todo: IMPORT_NEWER,
          isMailed: true,
        }
      : {
          name: `feeds-expiring:${asOf}`,
          grade: "bad",
          what: `Not served any more from ${timeOf(staleFrom)} on, because their newest day is ${asOf}: ${names}.`,
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
      todo: `Decide. \`tdf import --dir ${refused.folder} --preview\` shows all changes besides the refusal. If the files are right, import them with --accept; if not, import newer ones.`,
      isMailed: true,
    });
  }
  if (failed !== null && failed.id > (refused?.id ?? 0) && failed.id > (published?.id ?? 0)) {
    findings.push({
      name: `import-failed:${failed.id}`,
      grade: "warn",
      what: `Import ${failed.id} failed at ${timeOf(failed.finishedAt ?? failed.startedAt)}: ${failed.refusal ?? ""}`,
      todo: "Nothing was changed. Run it again, if nothing does so by itself.",
      isMailed: false,
    });
  }
  const publishedAt = published?.finishedAt ?? null;
  if (publishedAt === null) {
    findings.push({
      name: "nothing-imported",
      grade: "warn",
      what: "No import has published anything yet.",
      todo: IMPORT_NEWER,
      isMailed: false,
    });
  } else if (now.getTime() - publishedAt.getTime() > IMPORT_DUE_HOURS * HOUR_MS) {
    findings.push({
      name: "import-late",
      grade: "warn",
      what: `The last import was published at ${timeOf(publishedAt)}, more than ${IMPORT_DUE_HOURS} hours ago.`,
      todo: "See why the daily import does not run: its log, and `tdf import list`.",
      isMailed: false,
    });
  }
  return findings;
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

function mailFindings({ failedMails, mailWaitsSince }: Facts, now: Date): Finding[] {
  const findings: Finding[] = [];
  if (mailWaitsSince !== null && now.getTime() - mailWaitsSince.getTime() > MAIL_DUE_MINUTES * 60_000) {
    findings.push({
      name: "mails-wait",
      grade: "warn",
      what: `A mail has waited since ${timeOf(mailWaitsSince)}.`,
      todo: "See that `tdf serve` or `tdf dispatch` runs, and that the server of SMTP_URL answers.",
      isMailed: false,
    });
  }
  const [newest] = failedMails;
  if (newest) {
    findings.push({
      name: "mails-failed",
      grade: "warn",
      what: `${countOf(failedMails.length, "mail")} could not be sent within ${MAILS_TOLD_DAYS} days; the newest is a ${newest.purpose} (${newest.lastError ?? "no reason"}).`,
      todo: "See SMTP_URL and MAIL_FROM, and whether the recipients' addresses are right.",
      isMailed: false,
    });
  }
  return findings;
}

function backupFindings({ backupAt }: Facts, now: Date): Finding[] {
  if (backupAt === null || now.getTime() - backupAt.getTime() <= BACKUP_DUE_HOURS * HOUR_MS) return [];
  return [
    {
      name: "backup-late",
      grade: "warn",
      what: `The last \`tdf backup\` finished at ${timeOf(backupAt)}, more than ${BACKUP_DUE_HOURS} hours ago.`,
      todo: "See why it does not run any more.",
      isMailed: false,
    },
  ];
}

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
