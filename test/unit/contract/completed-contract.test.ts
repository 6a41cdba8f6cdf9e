// `npm run generate` writes into openapi.yaml what follows from the rest of it.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { completed } from "../../../scripts/generate/contract/complete-contract.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const written = readFileSync(path.join(ROOT, "openapi.yaml"), "utf8");

/** The contract with one text in the place of another, completed. */
function completedWith(...changes: [from: string, to: string][]) {
  const text = changes.reduce((now, [from, to]) => {
    expect(now).toContain(from);
    return now.replace(from, () => to);
  }, written);
  const result = completed(text);
  expect(completed(result)).toBe(result);
  return parse(result);
}

// It ended in a TypeError of the generator.
it("a mistake in the form of openapi.yaml is told with its line, and without a stack", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-contract-"));
  try {
    await cp(path.join(ROOT, "scripts/generate"), path.join(folder, "scripts/generate"), { recursive: true });
    await cp(path.join(ROOT, "scripts/generate.ts"), path.join(folder, "scripts/generate.ts"));
    await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
    await writeFile(path.join(folder, "openapi.yaml"), written.replace("  title:", "\ttitle: ["));
    const generate = promisify(execFile)(process.execPath, [path.join(folder, "scripts/generate.ts")]);
    await expect(generate).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^openapi\.yaml is not valid YAML: .* at line 3, column \d+:\n(?!.*^ +at )/ms,
      ),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("leaves a complete contract as it is", () => {
  expect(completed(written)).toBe(written);
});

it("a new column is required, and in every example", () => {
  const { components } = completedWith(
    [
      "        bond_form:\n",
      "        bond_limit: { type: [integer, 'null'], examples: [75000] }\n        bond_form:\n",
    ],
    [
      "        boc3_on_file: &boc3",
      "        is_new: &is_new { type: [boolean, 'null'] }\n        boc3_on_file: &boc3",
    ],
  );
  const { schemas, examples } = components;
  const columns = Object.keys(schemas.BrokerRecord.properties);
  const at = columns.indexOf("bond_limit");
  expect(columns[at + 1]).toBe("bond_form");
  expect(schemas.BrokerRecord.required).toEqual(columns);
  expect(schemas.NewAuthorityRecord.required).toContain("is_new");
  expect(schemas.SmallCarrierRecord.required).not.toContain("is_new");
  const { data } = examples.BrokersPage.value;
  for (const record of data) expect(Object.keys(record)).toEqual(columns);
  expect(data[0]).toMatchObject({ bond_limit: 75000, bond_form: "bond" });
  expect(examples.FeedChanges.value.data[0].record).toEqual(data[0]);
  expect(examples.BrokersCsv.value.split("\r\n").slice(0, 2)).toEqual([
    [...columns, "licence_ref"].join(","),
    expect.stringMatching(/,75000,bond,.*LIC-7K2M9QXA$/),
  ]);
  expect(examples.BrokersNdjson.value.split("\n")[1]).toBe(JSON.stringify(data[1]));
  expect(examples.NewAuthorityPage.value.data[0].is_new).toBe(null);
  expect(examples.Feeds.value.data[2].columns).toEqual(columns);
});

it("a new filter is taken by every path with filters, and in the table and the example of feeds", () => {
  const { paths, components } = completedWith([
    "    version:\n      name: version",
    "    bonded: { name: bonded, in: query, x-filter: true, x-feeds: [us_brokers] }\n    version:\n      name: version",
  ]);
  const ref = { $ref: "#/components/parameters/bonded" };
  for (const path of ["records", "export.csv", "changes", "count"])
    expect(paths[`/v1/feeds/{code}/${path}`].parameters.at(-1)).toEqual(ref);
  expect(paths["/v1/feeds/{code}/records"].get.description).toMatch(
    /\|\n\| bonded \| us_brokers \|\n\| since, .* \| all feeds \|\n\n400/,
  );
  expect(components.examples.Feeds.value.data[2].allowed_filters.at(-1)).toBe("bonded");
});

it("a new event type, feed and problem are in their lists", () => {
  const { paths, components } = completedWith(
    [
      "x-events:\n",
      "x-events:\n  renamed: { label: Renamed, tone: info, sentence: null, feeds: [us_brokers] }\n",
    ],
    [
      "    RecordsOut:\n",
      "    NewRecord: { x-feed: us_new, properties: { id: {} }, required: [] }\n    RecordsOut:\n",
    ],
    ["x-problems:\n", "x-problems:\n  too_late: { status: 409, title: Too late, meaning: It is. }\n"],
    ["    BadRequest:\n", "    TooLate:\n      value: { code: too_late, detail: It is. }\n    BadRequest:\n"],
  );
  const { EventType, RecordsOut, RecordAdded, NewRecord, Problem } = components.schemas;
  expect(EventType.enum[0]).toBe("renamed");
  const { parameters } = paths["/v1/webhooks/{endpoint_id}/deliveries"].get;
  expect(parameters.find(({ name }: { name?: string }) => name === "type").schema.enum[0]).toBe("renamed");
  expect(paths["/v1/events"].get.description).toContain(
    "|---|---|---|\n| renamed | Renamed | us_brokers |\n| new_",
  );
  expect(NewRecord.required).toEqual(["id"]);
  expect(RecordsOut.properties.data.items.anyOf.at(-1)).toEqual({ $ref: "#/components/schemas/NewRecord" });
  expect(RecordAdded.properties.record).toEqual(RecordsOut.properties.data.items);
  expect(Problem.properties.code.examples[0]).toBe("too_late");
  expect(components.examples.TooLate.value).toEqual({
    type: "http://127.0.0.1:3000/problems/too_late",
    title: "Too late",
    status: 409,
    detail: "It is.",
    code: "too_late",
  });
});
