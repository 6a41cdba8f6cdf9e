import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { type Row, removeGenerated, rows } from "../../../test/support/registry/generated-registry.ts";
import type { RelatedCompany } from "../src/registry.ts";
import { registryOf } from "./registry-of.ts";

let outDir: string;
let related: readonly RelatedCompany[];
let census: ReadonlyMap<number, Row>;

const byNumber = (all: readonly Row[]) => new Map(all.map((row) => [Number(row.DOT_NUMBER), row]));

beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), "registry-"));
  const [day] = await generateRegistry({
    outDir,
    carriers: 3000,
    seed: 1,
    firstDay: "2026-10-01",
    days: 1,
    hasRelations: true,
  });
  related = day?.related ?? [];
  census = byNumber(await rows(outDir, 0, "census.csv"));
});
afterAll(async () => {
  await rm(outDir, { recursive: true });
  await removeGenerated();
});

const membersOf = (kind: RelatedCompany["kind"]) =>
  related.filter((company) => company.kind === kind && company.usdot !== company.group);

test("related companies have something of the first of their group, of each kind in its own way", () => {
  const shareOf = (kind: RelatedCompany["kind"], column: string) => {
    const members = membersOf(kind);
    const same = members.filter(
      ({ usdot, group }) =>
        census.get(usdot)?.[column] !== "" && census.get(usdot)?.[column] === census.get(group)?.[column],
    );
    return same.length / members.length;
  };
  expect(shareOf("successor", "PHONE")).toBeGreaterThan(0.3);
  expect(shareOf("family", "PHY_STREET")).toBeGreaterThan(0.6);
  expect(shareOf("franchise", "PHY_STREET")).toBeLessThan(0.1);
  expect(shareOf("virtual_office", "PHY_STREET")).toBeGreaterThan(0.9);
  expect(shareOf("filing_service", "EMAIL_ADDRESS")).toBeGreaterThan(0.2);
});

test("a third of the successors declare their predecessor, and nobody else declares one", () => {
  const declared = new Map(
    related.filter(({ isDeclared }) => isDeclared).map(({ usdot, group }) => [usdot, String(group)]),
  );
  const share = declared.size / membersOf("successor").length;
  expect(share).toBeGreaterThan(0.15);
  expect(share).toBeLessThan(0.45);
  for (const [usdot, row] of census)
    expect([usdot, row.PRIOR_REVOKE_DOT_NUMBER]).toEqual([usdot, declared.get(usdot) ?? ""]);
});

test("a registry without them has the other companies as they are", async () => {
  const without = byNumber(await rows(await registryOf({ carriers: 3000, days: 1 }), 0, "census.csv"));
  const touched = new Set(related.map(({ usdot }) => usdot));
  const others = [...census.keys()].filter((usdot) => !touched.has(usdot));
  expect(others.length).toBeGreaterThan(2_000);
  for (const usdot of others) expect(without.get(usdot)?.PHONE).toBe(census.get(usdot)?.PHONE);
});
