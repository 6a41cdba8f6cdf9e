import { expect, it } from "vitest";
import type { Facts } from "../../../src/watch/facts.ts";
import { findingsOf, verdictOf } from "../../../src/watch/findings.ts";

const NOW = new Date("2026-11-20T18:00:00Z");

const feed = (asOf: string | null, more: Partial<Facts["feeds"][number]> = {}): Facts["feeds"][number] => ({
  feed: "us_brokers",
  name: "Brokers",
  isServed: true,
  since: NOW,
  asOf,
  staleFrom: asOf === null ? null : new Date(Date.parse(`${asOf}T00:00:00Z`) + 6 * 86_400_000),
  rolledBackAt: null,
  ...more,
});

const run = (id: number, status: Facts["imports"][number]["status"], finishedAt = NOW) => ({
  id,
  status,
  startedAt: finishedAt,
  finishedAt,
  folder: "/data/registry",
  refusal: status === "refused" ? "A feed would lose half of its rows." : null,
  refusedChecks: status === "refused" ? ["feed-jump:us_brokers"] : [],
});

const WELL: Facts = {
  feeds: [feed("2026-11-20")],
  imports: [run(7, "published")],
  mailWaits: null,
  failedMails: [],
  failedMailCount: 0,
  deliveryWaitsSeconds: null,
  removals: { waiting: 0, waiting_since: null, braked_feeds: [] },
  access: { waiting: 0, since: null },
  pausedEndpoints: 0,
  backupAt: null,
};

const told = (facts: Partial<Facts>) =>
  findingsOf({ ...WELL, ...facts }, NOW).map(({ name, grade, isMailed }) => [name, grade, isMailed]);

it("finds nothing while all is well", () => {
  expect(told({})).toEqual([]);
  expect(verdictOf(WELL, [])).toEqual({
    grade: "good",
    text: "All is well: 1 of 1 feed served, nothing to do.",
  });
});

it.each<[string, Partial<Facts>, [string, string, boolean][]]>([
  ["four days old", { feeds: [feed("2026-11-16")] }, []],
  ["a day before it is stale", { feeds: [feed("2026-11-15")] }, [["feeds-expiring:2026-11-15", "bad", true]]],
  ["stale", { feeds: [feed("2026-11-14", { isServed: false })] }, [["feeds-stale:2026-11-14", "bad", true]]],
  ["never live", { feeds: [feed(null, { isServed: false })] }, []],
  [
    "rolled back",
    { feeds: [feed("2026-11-20", { rolledBackAt: NOW })] },
    [["rolled-back:us_brokers", "warn", false]],
  ],
])("a feed that is %s", (_case, facts, expected) => {
  expect(told(facts)).toEqual(expected);
});

it.each<[string, Facts["imports"], [string, string, boolean][]]>([
  ["refused", [run(7, "published"), run(8, "refused")], [["import-refused:8", "bad", true]]],
  ["refused, then published", [run(9, "published"), run(8, "refused")], []],
  [
    "refused, then failed",
    [run(7, "published"), run(8, "refused"), run(9, "failed")],
    [
      ["import-refused:8", "bad", true],
      ["import-failed:9", "warn", false],
    ],
  ],
  ["late", [run(7, "published", new Date("2026-11-18T17:00:00Z"))], [["import-late", "warn", false]]],
  ["none", [], [["nothing-imported", "warn", false]]],
])("imports: %s", (_case, imports, expected) => {
  expect(told({ imports })).toEqual(expected);
});

it.each([
  [
    "by a check",
    ["feed-jump:us_brokers", "half-old:census"],
    "add --accept feed-jump:us_brokers --accept half-old:census;",
  ],
  ["after a rollback", ["rolled-back"], "add --release;"],
  ["for a broken file", [], "Do what it says, and import again."],
])("an import that was refused %s: what to do", (_case, refusedChecks, todo) => {
  const [finding] = findingsOf({ ...WELL, imports: [{ ...run(8, "refused"), refusedChecks }] }, NOW);
  expect(finding?.todo).toContain(todo);
  // The command would lack options such as --difference.
  expect(finding?.todo).not.toContain("tdf import");
});

it.each<[string, Partial<Facts>, boolean]>([
  ["deliveries-wait", { deliveryWaitsSeconds: 121 }, false],
  ["endpoints-paused", { pausedEndpoints: 4 }, true],
  ["mails-wait", { mailWaits: { createdAt: new Date("2026-11-20T17:44:00Z"), lastError: null } }, false],
  [
    "mails-failed",
    {
      failedMails: [{ purpose: "alarm", createdAt: NOW, failedAt: NOW, lastError: null }],
      failedMailCount: 1,
    },
    false,
  ],
  [
    "removals-wait",
    { removals: { waiting: 1, waiting_since: "2026-11-20T10:00:00Z", braked_feeds: [] } },
    false,
  ],
  ["access-waits", { access: { waiting: 1, since: NOW } }, false],
  ["removals-braked", { removals: { waiting: 0, waiting_since: null, braked_feeds: ["us_brokers"] } }, false],
  ["backup-late", { backupAt: new Date("2026-11-18T17:00:00Z") }, false],
])("%s", (name, facts, isMailed) => {
  expect(told(facts)).toEqual([[name, expect.any(String), isMailed]]);
});

it.each<[Partial<Facts>]>([
  [{ deliveryWaitsSeconds: 120 }],
  [{ pausedEndpoints: 3 }],
  [{ backupAt: new Date("2026-11-18T19:00:00Z") }],
  [{ mailWaits: { createdAt: new Date("2026-11-20T17:50:00Z"), lastError: "ENOSPC" } }],
])("tells nothing yet of %o", (facts) => {
  expect(told(facts)).toEqual([]);
});

it("puts the worst first, and counts both grades", () => {
  const facts = { ...WELL, deliveryWaitsSeconds: 300, feeds: [feed("2026-11-20", { rolledBackAt: NOW })] };
  const findings = findingsOf(facts, NOW);
  expect(findings.map(({ grade }) => grade)).toEqual(["bad", "warn"]);
  expect(verdictOf(facts, findings)).toEqual({
    grade: "bad",
    text: "1 thing to do now, 1 more to look at; 1 of 1 feed served.",
  });
  for (const { what, todo } of findings)
    for (const text of [what, todo]) expect(text).toMatch(/^[\w`].*\.$/s);
});

// A full disk under DATA_DIR/mail was told as a mail server that does not answer.
it("a mail that waits: why its last try failed, and where mails go without a server", () => {
  const mailWaits = { createdAt: new Date("2026-11-20T17:44:00Z"), lastError: "ENOSPC" };
  const [finding] = findingsOf({ ...WELL, mailWaits }, NOW);
  expect(finding?.what).toBe("A mail has waited since 2026-11-20 17:44 UTC; its last try failed (ENOSPC).");
  expect(finding?.todo).toContain("without SMTP_URL, that DATA_DIR/mail can be written");
});
