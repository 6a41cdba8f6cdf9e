// Imports stop, and one is refused. The operator hears of both before a customer does, once, in every place that tells.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { importFolder } from "../../src/importer/import.ts";
import { listRuns } from "../../src/importer/runs.ts";
import { type Mailer, startMailer } from "../../src/platform/mail/mailer.ts";
import { outboxState } from "../../src/platform/mail/outbox.ts";
import { raiseAlarms } from "../../src/watch/alarms.ts";
import { watchEverything } from "../../src/watch/metrics.ts";
import { operatorSignInLink } from "../../src/watch/operator-sign-in.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { runTdf } from "../support/processes/command.ts";
import { type RegistryFolders, registryFolders } from "../support/registry/registry-folders.ts";
import { startTestService, type TestService } from "../support/service.ts";

const OPERATOR = "night@operator.example";

let folders: RegistryFolders;
/** A day's files, of which one has lost half of its rows. */
let lost: string;
let service: TestService;
let mailer: Mailer;
const clock = settableClock("2026-11-17T18:00:00Z");

beforeAll(async () => {
  folders = await registryFolders({ carriers: 600, seed: 5, firstDay: "2026-11-17", days: 8 });
  lost = await folders.changed(6, "motus_carrier.csv", (text) => {
    const lines = text.split("\n");
    return `${lines.slice(0, Math.ceil(lines.length / 2)).join("\n")}\n`;
  });
  service = await startTestService({ clock, env: { OPERATOR_EMAIL: OPERATOR } });
  watchEverything(service.context);
  mailer = startMailer(service.context, { pollEveryMs: 20 });
  await importDay(0);
});

afterAll(async () => {
  await mailer.stop();
  await service.stop();
  await folders.close();
});

const importDay = (day: number) =>
  importFolder(service.context, { dir: folders.day(day), asOf: null, accept: new Set() });

/** A page of the operator's. Sessions end while the clock is moved by days, so each look is a new one. */
async function adminPage(path = "/admin"): Promise<string> {
  const { pathname } = new URL(await operatorSignInLink(service.context));
  const signedIn = await service.send("POST", pathname);
  const Cookie = (signedIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  return (await service.get(path, undefined, { Cookie })).text();
}

/** What each place says at the moment, after every process has looked. */
async function told() {
  await Promise.all([raiseAlarms(service.context), raiseAlarms(service.context)]);
  await vi.waitFor(async () => expect((await outboxState(service.context)).waiting).toBe(0), 20_000);
  const status = await (await service.get("/status.json")).json();
  const admin = await adminPage();
  const metrics = await (await service.get("/metrics")).text();
  return {
    public: (status as { status: string }).status,
    verdict: /class="verdict (\w+)"/.exec(admin)?.[1],
    mails: await alarmMails(),
    served: valuesOf(metrics, "tdf_feed_served"),
    ages: valuesOf(metrics, "tdf_feed_age_days"),
    refused: metrics.match(/^tdf_import_refused\{.*$/gm) ?? [],
  };
}

const valuesOf = (metrics: string, name: string): string[] => [
  ...new Set(
    [...metrics.matchAll(new RegExp(`^${name}\\{.*\\} (.*)$`, "gm"))].map(([, value = ""]) => value),
  ),
];

async function alarmMails(): Promise<string[]> {
  const mails = await service.context.db.prisma.mailOutbox.findMany({
    where: { purpose: "alarm", recipient: OPERATOR },
    orderBy: { id: "asc" },
  });
  return mails.map(({ subject }) => subject.replace("Trucking Data Feed: ", ""));
}

it("says that all is well after an import", async () => {
  expect(await told()).toEqual({
    public: "served",
    verdict: "good",
    mails: [],
    served: ["1"],
    ages: ["0"],
    refused: [],
  });
});

it("mails once that feeds are about to become stale, a day before, and once that they are", async () => {
  clock.set("2026-11-21T23:59:00Z");
  expect(await told()).toMatchObject({ public: "served", verdict: "warn", mails: [], ages: ["4"] });
  clock.set("2026-11-22T00:00:00Z");
  const before = ["Feeds are about to become stale"];
  expect(await told()).toMatchObject({
    public: "served",
    verdict: "bad",
    mails: before,
    ages: ["5"],
    served: ["1"],
  });
  clock.set("2026-11-22T23:59:00Z");
  expect(await told()).toMatchObject({ public: "served", mails: before });
  clock.set("2026-11-23T00:00:00Z");
  const after = [...before, "Feeds are not served"];
  expect(await told()).toMatchObject({ public: "not_served", verdict: "bad", mails: after, served: ["0"] });
  expect(await told()).toMatchObject({ mails: after });
  const page = await (await service.get("/status", undefined, { Accept: "text/html" })).text();
  expect(page).toContain("No feed is served at the moment.");
  expect(page).toContain("2026-11-23 00:00");
});

it("tells a refused import by a mail, a metric and the page, until one is published", async () => {
  await expect(importFolder(service.context, { dir: lost, asOf: null, accept: new Set() })).rejects.toThrow(
    /--accept shrinkage/,
  );
  const { mails, refused, verdict } = await told();
  expect(mails.filter((subject) => subject === "An import was refused")).toHaveLength(1);
  expect(refused).toContain('tdf_import_refused{check="shrinkage"} 1');
  expect(verdict).toBe("bad");
  expect(await adminPage()).toMatch(/<code>shrinkage<\/code>/);
  expect(await adminPage("/admin/imports/2")).toMatch(/tdf import --dir .* --preview/);
  clock.set("2026-11-23T06:00:00Z");
  await importDay(6);
  const after = await told();
  expect(after).toMatchObject({ public: "served", verdict: "good", refused: [], served: ["1"] });
  expect(after.mails).toEqual(mails);
});

it("tells again when it happens again, and to an address that was set later", async () => {
  clock.set("2026-11-28T00:00:00Z");
  const mute = await openTestContext(service.context.config.databaseUrl ?? "", clock);
  const known = await alarmMails();
  await raiseAlarms(mute);
  await mute.db.close();
  expect(await alarmMails()).toEqual(known);
  expect((await told()).mails).toEqual([...known, "Feeds are about to become stale"]);
});

it("gives scripts exit status 65, tells at once, and previews the refused files with all their changes", async () => {
  const known = await alarmMails();
  const env = { DATABASE_URL: service.context.config.databaseUrl ?? "", OPERATOR_EMAIL: OPERATOR };
  const { status, err } = await runTdf(env, "import", "--dir", lost);
  expect({ status, last: err.split("\n").at(-2) }).toEqual({
    status: 65,
    last: expect.stringMatching(/--accept older-than-before|--accept shrinkage/),
  });
  expect((await alarmMails()).slice(known.length)).toContain("An import was refused");
  const [refused] = await listRuns(service.context, 1);
  const page = await adminPage(`/admin/imports/${refused?.id}`);
  expect(page).toContain("With these checks accepted, the import would change this:");
  expect(page).toMatch(/<code>us_brokers<\/code>/);
  const preview = await runTdf(env, "import", "--dir", lost, "--preview");
  expect(preview).toMatchObject({ status: 65, err: expect.stringMatching(/--accept shrinkage/) });
  expect(preview.out).toContain("AN IMPORT WOULD BE REFUSED");
  expect(preview.out).toMatch(/us_brokers: \d+ added, \d+ removed, \d+ changed/);
});
