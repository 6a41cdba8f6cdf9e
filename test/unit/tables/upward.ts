import { type SourceText, TABLE_NAME } from "./statements.ts";
import type { Owners } from "./table-owners.ts";

/** Files that name tables of upper layers, with the reason. */
export const NAMES_UPWARD: Readonly<Record<string, string>> = {
  "src/accounts/keys/sql/admission.sql":
    "reads what is served, so that a request that reads a feed needs no second statement",
};

/** Views → the module whose tables they show. */
const VIEWS = new Map([
  ["legacy_policy", "registry"],
  ["legacy_dated_policy", "registry"],
  ["legacy_ended_policy", "registry"],
  ["motus_history", "registry"],
  ["motus_order", "registry"],
  ["motus_policy", "registry"],
  ["motus_ended_policy", "registry"],
  ["removal_list_business", "suppression"],
  ["removal_list_contact", "suppression"],
  ["removal_list_shown_again", "suppression"],
  ["removal_list_state", "suppression"],
  ["visible_event", "events"],
  ["event_position", "events"],
  ["visible_carrier_change", "registry"],
  ["carrier_change_position", "registry"],
  ["shown_watchlist_carrier", "watchlists"],
  ["webhook_delivery_state", "webhooks"],
]);

const NAMED = new RegExp(
  String.raw`\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE|LIKE|ONLY)\s+(?<tables>${TABLE_NAME}(?:\s*,\s*${TABLE_NAME})*)`,
  "g",
);
const DECLARED = /\b(?<name>[a-z_]+)(?: \([^()]*\))? AS (?:(?:NOT )?MATERIALIZED )?\(/g;

/** The layers of modules, the highest first, as .dependency-cruiser.mjs has them. */
export type Layers = readonly (readonly string[])[];

/** Names the texts that name a table of a module which is neither their own nor of a lower layer. */
export function upwardNames(texts: readonly SourceText[], owners: Owners, layers: Layers): string[] {
  const layerOf = (module: string) => layers.findIndex((modules) => modules.includes(module));
  const found = texts.flatMap(({ file, text }) => {
    const [, module = ""] = file.split("/");
    const declared = new Set([...text.matchAll(DECLARED)].map(({ groups }) => groups?.name));
    return [...text.matchAll(NAMED)]
      .flatMap(({ groups }) => groups?.tables?.split(",") ?? [])
      .map((name) =>
        name
          .trim()
          .replaceAll('"', "")
          .replace(/^public\./, ""),
      )
      .filter((name) => !declared.has(name))
      .flatMap((name) => {
        const owner = ownerOf(name, owners);
        const isBelow = owner === undefined || owner === module || layerOf(owner) > layerOf(module);
        return isBelow ? [] : [`${file} names ${name} of src/${owner}`];
      });
  });
  return [...new Set(found)];
}

function ownerOf(name: string, { tables, schemas }: Owners): string | undefined {
  const [schema = "", table] = name.split(".");
  const owner = table === undefined ? (tables.get(name) ?? VIEWS.get(name)) : schemas.get(schema);
  return owner?.replace("src/", "");
}
