import { readFile } from "node:fs/promises";
import { isAlias, type Node, parseDocument } from "yaml";
import { writeIfChanged } from "../write-if-changed.ts";
import { derivedParts } from "./derived-parts.ts";
import { yamlText } from "./yaml-text.ts";

/**
 * Writes the parts of openapi.yaml that follow from others into it. So the file is complete for every tool that reads it,
 * and a column or a filter is written once.
 */
export async function completeContract(file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  if (await writeIfChanged(file, completed(text))) process.stderr.write("openapi.yaml was completed.\n");
}

/** Everything but the parts that change stays as it is, to the letter. */
export function completed(text: string): string {
  const document = parseDocument(text);
  // Of a file with a mistake the parser still gives what it could read.
  const [mistake] = document.errors;
  if (mistake) throw mistake;
  const changes = derivedParts(document.toJS()).flatMap(({ at, value }) => {
    const node = document.getIn(at, true) as Node | undefined;
    if (node === undefined) throw new Error(`openapi.yaml has no ${at.join(".")}. Write it, empty or not.`);
    // As text, because the order of members counts.
    return JSON.stringify(node.toJS(document)) === JSON.stringify(value) ? [] : [{ node, value }];
  });
  if (changes.length === 0) return text;
  // An alias may be right as soon as its anchor is.
  const own = changes.filter(({ node }) => !isAlias(node));
  const now = own.length > 0 ? own : changes;
  return completed(now.sort((a, b) => startOf(b.node) - startOf(a.node)).reduce(replaced, text));
}

const startOf = ({ range }: Node): number => range?.[0] ?? 0;

function replaced(text: string, { node, value }: { node: Node; value: unknown }): string {
  const [start, end] = node.range ?? [0, 0];
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const ending = text[end - 1] === "\n" ? "\n" : "";
  return text.slice(0, start) + yamlText(value, before).trimEnd() + ending + text.slice(end);
}
