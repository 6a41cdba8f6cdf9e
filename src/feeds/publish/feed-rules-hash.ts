// By which rules a feed is made, as a hash: a version made by others is due again.
import { createHash } from "node:crypto";
import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { FEEDS, type Feed, isVolatile } from "../catalogue.ts";
import { candidateRules, derivationOf } from "../derive/candidates.ts";
import { KEY_CELLS, packedColumns } from "../versions/packed-columns.ts";
import { recordHash, recordId } from "./build.ts";
import { rulesOfVersion } from "./step.ts";

/** The SHA-256 of the rules for a feed: the program's, and the operator's limit. */
export function rulesOf(feed: Feed, derivation: string, sharedContactLimit: number): string {
  const columns = feed.columns.map((column) => [column.name, column.kind, isVolatile(column)]);
  const packed = [...packedColumns(feed).values(), KEY_CELLS];
  const ids = [recordId(feed, "$1"), recordHash(feed)];
  return digestOf([columns, packed, derivation, ids, candidateRules, sharedContactLimit]);
}

/** Whether a live feed was made by other rules than this program's. */
export async function haveFeedRulesChanged(
  client: pg.ClientBase,
  sharedContactLimit: number,
): Promise<boolean> {
  for (const feed of FEEDS) {
    const current = await sql.findCurrent(client, { feed: feed.code });
    if (current === undefined) continue;
    const rules = rulesOf(feed, derivationOf(feed.code), sharedContactLimit);
    if ((await rulesOfVersion(client, current.id)) !== rules) return true;
  }
  return false;
}

/** The SHA-256 of some values, as JSON. */
export const digestOf = (parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");
