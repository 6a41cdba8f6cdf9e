import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { capacityDoc } from "../../../scripts/figures/capacity-doc.ts";
import { type LastRuns, performanceDoc } from "../../../scripts/figures/performance-doc.ts";

const lastRun = async (name: string) => JSON.parse(await readFile(`docs/performance/${name}.json`, "utf8"));
const runs: LastRuns = {
  full: await lastRun("full"),
  tenth: await lastRun("tenth"),
  peers: await lastRun("peers"),
  capacity: await lastRun("capacity"),
};
const { full, capacity: report } = runs;

test.each([
  ["docs/performance/figures.md", performanceDoc(runs)],
  ["docs/capacity.md", capacityDoc(report, full)],
])("%s has the figures of the last runs; `npm run generate:figures` writes them", async (file, text) => {
  expect(text).toBe(await readFile(file, "utf8"));
});

describe("the page of the performance", () => {
  const parts = performanceDoc(runs).split("\n## ");
  const partOf = (title: string) => parts.find((part) => part.startsWith(title)) ?? "";
  const rowOf = (part: string, name: string) =>
    part
      .split("\n")
      .find(
        (line) =>
          line.startsWith("| ") && (line.includes(`(\`${name}\`)`) || line.startsWith(`| \`${name}\` `)),
      ) ?? "";

  test.each([
    ["full", "The registry's full size"],
    ["tenth", "10% of the registry's size"],
  ] as const)("shows every measure of the run at %s size with its verdict", (size, title) => {
    const { measures, machine } = runs[size];
    expect(measures.length).toBeGreaterThan(20);
    for (const { name, verdict } of measures)
      expect(rowOf(partOf(title), name)).toContain(verdict === "missed" ? "**missed**" : `| *${verdict}* |`);
    expect(partOf(title)).toContain(machine.processor);
  });

  test("says why a target is missed, and can't be written without that", () => {
    const tooMuch = structuredClone(full);
    const [measure] = tooMuch.measures;
    Object.assign(measure ?? {}, { name: "unexplained", verdict: "missed" });
    expect(rowOf(partOf("The registry's full size"), "publish-stall")).toContain("the commit that publishes");
    expect(() => performanceDoc({ ...runs, full: tooMuch })).toThrow("unexplained missed its target");
  });

  test("shows the service beside other programs, with how much slower they are", () => {
    const part = partOf("Beside other programs");
    for (const { name, results } of runs.peers.peers) {
      expect(rowOf(part, name).match(/\d × (?:slower|faster)/g)).toHaveLength(results.length - 1);
      for (const { program } of results) expect(part).toContain(`| ${program} |`);
    }
  });

  test("shows what each kind of work costs", () => {
    expect(report.capacity.length).toBeGreaterThan(15);
    for (const { name, measured } of report.capacity) {
      const { median = 0 } = measured?.postgres ?? {};
      const shown = median.toLocaleString("en-US", { maximumSignificantDigits: median < 1000 ? 3 : 4 });
      expect(rowOf(partOf("What each request"), name)).toContain(`| ${shown} µs |`);
    }
  });

  test("begins with how fast the service is, by the newest figures where the full size was not measured", () => {
    const perSecond = (run: "full" | "tenth", name: string, of: (median: number) => number) => {
      const { details } = runs[run].measures.find((each) => each.name === name) ?? {};
      const { subject } = details as { subject: { median: number } };
      return `**${Math.round(of(subject.median)).toLocaleString("en-US")} a second**`;
    };
    const same = (median: number) => median;
    const lookups = (ms: number) => 1000 / ms;
    expect(parts[0]).toContain(`- Pages that were read before: ${perSecond("full", "hot-page", same)}`);
    expect(parts[0]).toContain(`- Paging through a feed: ${perSecond("full", "cold-page", same)}`);
    expect(parts[0]).toContain(`- Carriers looked up: ${perSecond("full", "lookup", lookups)}`);
    const short = { ...full, measures: full.measures.filter(({ name }) => name !== "lookup") };
    const [beginning] = performanceDoc({ ...runs, full: short }).split("\n## ");
    expect(beginning).toContain(`- Carriers looked up: ${perSecond("tenth", "lookup", lookups)}`);
  });
});

describe("the page of the capacity", () => {
  test("says how many machines one primary feeds, by the costs of its run", () => {
    const dearer = structuredClone(report);
    const page = dearer.capacity.find(({ name }) => name === "page-accounts")?.measured;
    if (!page?.postgres) throw new Error("the run has no page-accounts");
    page.program.median = 1_000;
    page.postgres.median = 500;
    const { database: sent, sent: answered } = page;
    if (!answered) throw new Error("the run counted no bytes of the answers");
    answered.median = 100_000;
    if (!sent) throw new Error("the run counted no bytes of page-accounts");
    sent.median = 20_000;
    const text = capacityDoc(dearer, full);
    expect(text).toContain(
      "| 4 × `serve` | 4,000 pages a second | the lesser of 4 × 1,000,000 ÷ 1,000 = 4,000 and 1,250 MB ÷ 100,000 bytes = 12,000 |",
    );
    expect(text).toContain(
      "| PostgreSQL, 16 cores | 32,000 pages a second | the lesser of 16 × 1,000,000 ÷ 500 = 32,000 and 1,250 MB ÷ 20,000 bytes = 62,000 |",
    );
    expect(text).toContain("**The first wall is the processor of the primary.**");
    expect(text).toContain("So one primary feeds 8 machines of 4 cores");
    sent.median = 100_000;
    const heavy = capacityDoc(dearer, full);
    expect(heavy).toContain("**The first wall is the network of the primary.**");
    expect(heavy).toContain("its network carries 12,000 with 10 Gbit/s and 31,000 with\n25");
    answered.median = 500_000;
    const large = capacityDoc(dearer, full);
    expect(large).toContain(
      "| 4 × `serve` | 2,500 pages a second | the lesser of 4 × 1,000,000 ÷ 1,000 = 4,000",
    );
  });

  test("says of a busy machine that it was busy, and of no other", () => {
    const note = "**Other work ran on the machine during this run**";
    const machine = { ...report.machine, cores: 2 };
    expect(capacityDoc({ ...report, machine: { ...machine, loadAverage: 34 } }, full)).toContain(note);
    expect(capacityDoc({ ...report, machine: { ...machine, loadAverage: 0.5 } }, full)).not.toContain(note);
  });

  test("can't be written from a run that lacks a work", () => {
    const capacity = report.capacity.filter(({ name }) => name !== "delivery");
    expect(() => capacityDoc({ ...report, capacity }, full)).toThrow("did not measure delivery");
  });
});
