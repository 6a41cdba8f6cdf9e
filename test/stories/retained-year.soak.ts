import { it } from "vitest";
import { expectBoundedYear } from "./retained-year.ts";

// The long form of retained-year.test.ts: each day of the year, at a hundredth of a full installation's size.
it("after a year of days, every table is as large as its retention lets it be", async () => {
  const sizes = await expectBoundedYear({ stepDays: 1, scale: 1 });
  const [middle = [], end = []] = [...sizes.values()];
  const lines = end.map(({ table, rows, bytes }, index) => {
    const before = middle[index] ?? { rows: 0, bytes: 0 };
    return `${table.padEnd(22)} ${[before.rows, before.bytes, rows, bytes].map((each) => String(each).padStart(10)).join("")}`;
  });
  const head = `${"table".padEnd(22)} ${["rows 200", "bytes 200", "rows 365", "bytes 365"].map((each) => each.padStart(10)).join("")}`;
  process.stdout.write(`${[head, ...lines].join("\n")}\n`);
});
