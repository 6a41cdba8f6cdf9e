// The guides: Markdown files, filled with what the contract, the code and the deployment say.
import type { EntryContext } from "../../platform/context.ts";
import { type Facts, factsOf } from "./facts.ts";
import { GUIDES, type GuideName } from "./guide-list.ts";

/** The Markdown of guides for a deployment. Links lead to paths of the service. */
export type Texts = ReadonlyMap<GuideName, string>;

const filledFor = new WeakMap<EntryContext, { key: string | null; texts: Texts }>();

/** Fills all guides. With the key of the demo the commands work as they are; without it the reader puts in their own. */
export function guideTexts(context: EntryContext, key: string | null): Texts {
  const known = filledFor.get(context);
  if (known?.key === key) return known.texts;
  const facts = factsOf(context, key);
  const texts = new Map(GUIDES.map(({ name, source }): [GuideName, string] => [name, filled(source, facts)]));
  filledFor.set(context, { key, texts });
  return texts;
}

/** Puts facts in the places of their names. */
function filled(source: string, facts: Facts): string {
  return source.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const fact = facts[name as keyof Facts];
    if (fact === undefined) throw new Error(`A guide asks for a fact that there is not: ${name}.`);
    return fact;
  });
}
