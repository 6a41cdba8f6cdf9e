import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fieldsOf, RECORDED_SOURCES } from "../../../src/registry/changes/recorded-fields.ts";

it("the documentation lists exactly the fields that are recorded", () => {
  const page = readFileSync(new URL("../../../docs/operating/recorded-changes.md", import.meta.url), "utf8");
  const [part = ""] = page.split("## Which fields?")[1]?.split("## ") ?? [];
  const documented = part
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => {
      const [, table = "", fields = ""] = line.split("|").map((cell) => cell.replaceAll("`", "").trim());
      return fields.split(" · ").flatMap((group) => {
        const [category, names = ""] = group.split(": ");
        return names.split(", ").map((name) => `${table} ${category} ${name}`);
      });
    });
  const recorded = RECORDED_SOURCES.flatMap((source) =>
    fieldsOf(source).map(({ category, field }) => `${source.table} ${category} ${field}`),
  );
  expect(documented.sort()).toEqual(recorded.sort());
});
