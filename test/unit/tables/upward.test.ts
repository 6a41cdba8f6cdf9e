// A statement names tables of its own module and of lower layers, as its module imports only these.
import path from "node:path";
import { expect, it } from "vitest";
import { readTexts, textsOf } from "./statements.ts";
import { ownersOf, readSchemaFiles } from "./table-owners.ts";
import { type Layers, NAMES_UPWARD, upwardNames } from "./upward.ts";

const root = path.join(import.meta.dirname, "../../..");
const owners = ownersOf(readSchemaFiles(root));
const configuration: string = path.join(root, ".dependency-cruiser.mjs");
const { layers } = (await import(configuration)) as { layers: Layers };

it("no statement of src names a table of an upper layer, but for the listed ones", () => {
  const found = upwardNames(readTexts(root), owners, layers);
  expect(found.filter((each) => !((each.split(" ")[0] ?? "") in NAMES_UPWARD))).toEqual([]);
  const unused = Object.keys(NAMES_UPWARD).filter(
    (file) => !found.some((each) => each.startsWith(`${file} `)),
  );
  expect(unused).toEqual([]);
});

it.each([
  ["suppression", "SELECT feed_code FROM feed_current", "feed_current of src/feeds"],
  ["accounts", "SELECT 1 FROM account JOIN census USING (usdot)", "census of src/registry"],
  ["registry", "SELECT usdot FROM removal_list_business", "removal_list_business of src/suppression"],
  ["feeds", "SELECT id FROM visible_event", "visible_event of src/events"],
  ["suppression", "LOCK TABLE census, feed_version IN ACCESS SHARE MODE", "feed_version of src/feeds"],
])("src/%s may not run %s", (module, sql, named) => {
  const file = `src/${module}/example.sql`;
  expect(upwardNames(textsOf(file, sql), owners, layers)).toEqual([`${file} names ${named}`]);
});

it.each([
  ["feeds", "SELECT usdot FROM census JOIN removal_list_business USING (usdot)"],
  ["carriers", "SELECT id FROM feed_version"],
  ["registry", "WITH feed_current AS (SELECT 1) SELECT FROM feed_current -- FROM event"],
])("src/%s may run %s", (module, sql) => {
  expect(upwardNames(textsOf(`src/${module}/example.sql`, sql), owners, layers)).toEqual([]);
});
