import type pg from "pg";
import { haveFeedRulesChanged } from "../feeds/publish/feed-rules-hash.ts";
import { type PublishedFeed, publishFeeds } from "../feeds/publish/publish.ts";
import * as sql from "../generated/sql/importer.ts";
import type { Context } from "../platform/context.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { haveAuthorityRulesChanged } from "../registry/authorities/authorities.ts";
import { updateRegistry } from "../registry/authorities/update-registry.ts";
import { findAgentContacts, loadShippedAgents } from "../registry/contacts/agent-contacts.ts";
import { findSharedContacts } from "../registry/contacts/shared-contacts.ts";
import { openTouchedDockets } from "../registry/merge/merge.ts";
import { readSourceDays, registryDay } from "../registry/sources.ts";

/** What other rules of the program make of the registry of the last import. */
export interface Rebased {
  asOf: string;
  feeds: PublishedFeed[];
}

/**
 * Derives and publishes everything once more from the registry as the last import left it, if this program has other rules
 * than the one that made it. Then what follows in the import's transaction compares within one set of rules: no guard takes
 * a change of our own for the registry's, and no event comes from it. Null when the rules are the same.
 */
export async function rebase(
  { config: { sharedContactLimit } }: Context,
  client: pg.PoolClient,
  { now, onFeed }: { now: Date; onFeed: (feed: string) => void },
): Promise<Rebased | null> {
  const sourceDays = await readSourceDays(client);
  const asOf = registryDay(sourceDays);
  if (asOf === null) return null;
  const haveChanged =
    (await haveAuthorityRulesChanged(client)) || (await haveFeedRulesChanged(client, sharedContactLimit));
  if (!haveChanged) return null;
  return traced("import rebase", async () => {
    await openTouchedDockets(client);
    await loadShippedAgents(client);
    // Notices that an older program did not record are older than the last import, so they are no news of this one.
    await updateRegistry(client, { asOf, previousAsOf: asOf, hadEndedPolicies: false });
    await findSharedContacts(client, sharedContactLimit);
    await findAgentContacts(client);
    const feeds = await publishFeeds(client, {
      sourceDays,
      now,
      sharedContactLimit,
      hasRegistryChanged: true,
      isRebase: true,
      onFeed,
    });
    // The import makes its own of the same names.
    await sql.discardTemporary(client);
    return { asOf, feeds };
  });
}
