import { isScalar, type Node, parseDocument, visit, type visitor } from "yaml";

/** The contract as a deployment publishes it, with the address of that deployment as the server. */
export interface PublishedContract {
  yaml: Buffer;
  json: Buffer;
}

/**
 * Puts the address of a deployment into the text of openapi.yaml: as the server, into links and into the examples. Leaves
 * out what only the program reads (docs/contract.md), and writes aliases out: some tools know none.
 */
export function publishContract(text: string, publicUrl: string): PublishedContract {
  const document = parseDocument(text);
  const own = String(document.getIn(["servers", 0, "url"]));
  document.setIn(["servers"], [{ url: publicUrl, description: "This service." }]);
  for (const name of ROOT_EXTENSIONS) document.delete(name);
  visit(document, programReads);
  visit(document, writtenOut());
  visit(document, atAddress(`${own}/`, `${publicUrl}/`));
  const yaml = document.toString({ lineWidth: 0 });
  return { yaml: Buffer.from(yaml), json: Buffer.from(JSON.stringify(document.toJS())) };
}

/** At the top of the contract; parameters have an `x-feeds` of their own, which customers read. */
const ROOT_EXTENSIONS = ["x-feeds", "x-events"];
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

/** Replaces the address that the contract is written with. */
const atAddress = (written: string, published: string): visitor => ({
  Scalar: (_, node) => {
    if (typeof node.value === "string") node.value = node.value.replaceAll(written, published);
  },
});
