// Links that began or ended when the shared values were brought up to date: changes of the companies, like those of their fields.
import * as sql from "../../generated/sql/carriers/connections.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { LinkChange } from "../../registry/changes/record-links.ts";
import { isPerson } from "./businesses.ts";

/** More than a day of the registry makes. More of them come from a change of the files or of our rules: they are no news. */
const MOST_CHANGES = 200_000;

/**
 * The changed links of companies, while the stored values are still those of before. None the first time: there is nothing
 * to compare with. Natural persons have none, and neither do others have one with them.
 */
export async function findChangedLinks(
  client: Queryable,
  log: Context["log"],
  { lastChangeId, newestChangeId }: Pick<sql.FindStaleRow, "lastChangeId" | "newestChangeId">,
): Promise<LinkChange[]> {
  // A registry that began anew counts from the start.
  if (lastChangeId === null || lastChangeId > newestChangeId) return [];
  const found = await sql.linkChanges(client, { lastChangeId, most: MOST_CHANGES + 1 });
  if (found.length > MOST_CHANGES) {
    log.warn("More connections changed than a day can change. They are not recorded as changes.");
    return [];
  }
  const usdots = [...new Set(found.flatMap(({ usdot, other }) => [usdot, other]))];
  const names = usdots.length === 0 ? [] : await sql.namesOfNumbers(client, { usdots });
  const persons = new Set(names.filter(isPerson).map(({ usdot }) => usdot));
  return found
    .filter(({ usdot, other }) => !persons.has(usdot) && !persons.has(other))
    .map(({ wasNow, isNow, ...link }) => ({
      ...link,
      before: wasNow === null ? null : whenOf(wasNow),
      after: whenOf(isNow),
    }));
}

const whenOf = (isNow: boolean): "now" | "earlier" => (isNow ? "now" : "earlier");
