// Each table is in the list of those that are cleared, or in the list of those that don't grow by time. The page says so.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { configFrom } from "../../../src/platform/config/config.ts";
import { KEPT_TABLES, type KeptTable } from "../../../src/retention/kept-tables.ts";
import { ownersOf, readSchemaFiles } from "../tables/table-owners.ts";
import { SETTLED_TABLES } from "./settled-tables.ts";

const root = path.join(import.meta.dirname, "../../..");

it("every table of prisma/schema is in one list, once", () => {
  const listed = [
    ...KEPT_TABLES.flatMap(({ table, with: others = [] }) => [table, ...others]),
    ...Object.values(SETTLED_TABLES).flat(),
  ];
  expect(listed.toSorted()).toEqual([...ownersOf(readSchemaFiles(root)).tables.keys()].toSorted());
});

it("docs/operating/retention.md says how long each table is kept", () => {
  const page = readFileSync(path.join(root, "docs/operating/retention.md"), "utf8");
  const told = [
    ...page.matchAll(/^\| (?<tables>`[^|]+) \| [^|]+ \| (?<kept>[^|]+) \| (?<setting>[^|]*)\|$/gm),
  ].map(({ groups }) => [groups?.tables, groups?.kept, /`(\w+)`/.exec(groups?.setting ?? "")?.[1]]);
  const listed = KEPT_TABLES.map((kept) => [
    [kept.table, ...(kept.with ?? [])].map((table) => `\`${table}\``).join(", "),
    keptFor(kept),
    typeof kept.keeps === "string"
      ? `RETENTION_${kept.keeps.replace(/[A-Z]/g, "_$&").toUpperCase()}_DAYS`
      : undefined,
  ]);
  expect(told.toSorted()).toEqual(listed.toSorted());
});

function keptFor({ keeps }: KeptTable): string {
  if (typeof keeps === "string") return `${configFrom({}).retentionDays[keeps]} days`;
  const { hours } = keeps;
  if (hours > 72) return `${hours / 24} days`;
  return hours > 0 && hours < 1 ? `${hours * 60} minutes` : `${hours} ${hours === 1 ? "hour" : "hours"}`;
}

it("a delivery is not kept for longer than its event", () => {
  expect(() => configFrom({ RETENTION_EVENTS_DAYS: "90", RETENTION_DELIVERIES_DAYS: "91" })).toThrow(
    "RETENTION_DELIVERIES_DAYS (91) must not be more than RETENTION_EVENTS_DAYS (90)",
  );
});
