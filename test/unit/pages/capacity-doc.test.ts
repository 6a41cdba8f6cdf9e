import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { capacityDoc } from "../../../scripts/generate/capacity-doc.ts";

const report = JSON.parse(await readFile("docs/performance/capacity.json", "utf8"));
const full = JSON.parse(await readFile("docs/performance/full.json", "utf8"));
const written = await readFile("docs/capacity.md", "utf8");

test("docs/capacity.md has the figures of the last run; `npm run generate:capacity` writes them", () => {
  expect(capacityDoc(report, full)).toBe(written);
});

test("a page says how many machines one primary feeds, by the costs of its run", () => {
  const dearer = structuredClone(report);
  const page = dearer.capacity.find(({ name }: { name: string }) => name === "page-accounts");
  page.measured.program.median = 1_000;
  page.measured.postgres.median = 500;
  const text = capacityDoc(dearer, full);
  expect(text).toContain("| 4 × `serve` | 4,000 pages a second | 4 × 1,000,000 ÷ 1,000 |");
  expect(text).toContain("| PostgreSQL, 16 cores | 32,000 pages a second | 16 × 1,000,000 ÷ 500 |");
  expect(text).toContain("One primary of 16 cores feeds 8 machines of 4 cores");
});

test("a run of a busy machine is called so, and no other", () => {
  const note = "**Other work ran on the machine during this run**";
  const machine = { ...report.machine, cores: 2 };
  expect(capacityDoc({ ...report, machine: { ...machine, loadAverage: 34 } }, full)).toContain(note);
  expect(capacityDoc({ ...report, machine: { ...machine, loadAverage: 0.5 } }, full)).not.toContain(note);
});

test("a run that lacks a work is refused", () => {
  const capacity = report.capacity.filter(({ name }: { name: string }) => name !== "delivery");
  expect(() => capacityDoc({ ...report, capacity }, full)).toThrow("did not measure delivery");
});
