import { readFile } from "node:fs/promises";
import path from "node:path";
import { isScalar, type Node, parseDocument, visit, type visitor } from "yaml";
import { writeIfChanged } from "../write-if-changed.ts";

/**
 * Writes the contract as customers get it, in both notations: without what only the program reads (docs/contract.md), and with
 * aliases written out, because some tools know none. Its server keeps the address that openapi.yaml is written with, in whose
 * place each deployment puts its own.
 */
export async function writePublishedContract(file: string, outDir: string): Promise<void> {
  const document = parseDocument(await readFile(file, "utf8"));
  document.setIn(["servers"], [{ url: document.getIn(["servers", 0, "url"]), description: "This service." }]);
  for (const name of ROOT_EXTENSIONS) document.delete(name);
  visit(document, programReads);
  visit(document, withScope);
  visit(document, writtenOut());
  const yaml = document.toString({ lineWidth: 0, collectionStyle: "block" });
  await writeIfChanged(path.join(outDir, "published.yaml"), yaml);
  await writeIfChanged(path.join(outDir, "published.json"), JSON.stringify(document.toJS()));
}

/** At the top of the contract; parameters have an `x-feeds` of their own, which customers read. */
const ROOT_EXTENSIONS = ["x-feeds", "x-events", "x-scopes", "x-patterns"];
const PROGRAM_EXTENSIONS: ReadonlySet<string> = new Set([
  "x-personal",
  "x-year",
  "x-source",
  "x-column",
  "x-match",
  "x-form",
  "x-mcp",
]);

const programReads: visitor = {
  Pair: (_, { key }) =>
    isScalar(key) && PROGRAM_EXTENSIONS.has(String(key.value)) ? visit.REMOVE : undefined,
};

/** Says in the text of each operation which scope its key needs. */
const withScope: visitor = {
  Map: (_, map) => {
    const scope = map.get("x-scope");
    if (scope !== undefined)
      map.set(
        "description",
        `${String(map.get("description")).trimEnd()}\n\nThe key needs the scope \`${scope}\`.\n`,
      );
  },
};

/** Puts a copy of what an anchor names in the place of each alias of it. */
function writtenOut(): visitor {
  const named = new Map<string, Node>();
  return {
    Value: (_, node) => {
      if (node.anchor === undefined) return;
      named.set(node.anchor, node);
      delete node.anchor;
    },
    Alias: (_, alias) => named.get(alias.source)?.clone() as Node,
  };
}
