import * as sql from "../generated/sql/watch.ts";
import type { Context } from "../platform/context.ts";
import { lock } from "../platform/database/transaction.ts";
import { queueMail } from "../platform/mail/outbox.ts";
import { readFacts } from "./facts.ts";
import { type Finding, findingsOf, type Verdict, verdictOf } from "./findings.ts";

/** The key of the advisory lock under which alarms are raised. No other lock of this database uses the number. */
const ALARM_LOCK = 73_100_021;

/** The verdict and the findings of this moment. */
export async function judgeService(context: Context): Promise<{ verdict: Verdict; findings: Finding[] }> {
  const facts = await readFacts(context);
  const findings = findingsOf(facts, context.clock.now());
  return { verdict: verdictOf(facts, findings), findings };
}

/**
 * Looks for alarms, and mails the new ones to OPERATOR_EMAIL. An alarm is mailed once from the first time that it is found
 * until its cause is over, also when several processes look, or when the address is set later.
 */
export async function raiseAlarms(context: Context): Promise<void> {
  const { db, clock, config } = context;
  await db.transaction(async (client) => {
    // The facts are read under the lock, so that no process acts on older ones than another did.
    await lock(client, ALARM_LOCK);
    const { findings } = await judgeService(context);
    const alarms = findings.filter(({ isMailed }) => isMailed);
    const names = alarms.map(({ name }) => name);
    const now = clock.now();
    await sql.endAlarms(client, { current: names });
    await sql.raiseAlarms(client, { names, now });
    const { operatorEmail: recipient, publicUrl } = config;
    if (recipient === null) return;
    const unmailed = new Set((await sql.takeUnmailed(client, { now })).map(({ name }) => name));
    for (const alarm of alarms.filter(({ name }) => unmailed.has(name))) {
      const others = findings.filter(({ name }) => name !== alarm.name);
      const body = alarmText(alarm, others, publicUrl);
      await queueMail(client, { purpose: "alarm", recipient, now, subject: subjectOf(alarm), body });
    }
  });
}

const SUBJECTS: Readonly<Record<string, string>> = {
  "feeds-expiring": "Feeds are about to become stale",
  "feeds-stale": "Feeds are not served",
  "import-refused": "An import was refused",
  "endpoints-paused": "Many endpoints were paused",
};

const subjectOf = ({ name }: Finding): string =>
  `Trucking Data Feed: ${SUBJECTS[name.split(":")[0] ?? ""] ?? name}`;

const alarmText = ({ what, todo }: Finding, others: readonly Finding[], publicUrl: string): string =>
  `${what}

${todo}
${others.length === 0 ? "" : `\nAlso:\n${others.map((other) => `- ${other.what}\n`).join("")}`}
${publicUrl}/admin shows the state of the service.
`;
