import type { Match } from "../matching.ts";

/** The decision on one identifier of a request, and what it matches. */
export interface IdentifierDecision extends Match {
  state: "in_force" | "waiting";
  /** The contact is removed at once from every record that shows it. */
  isBlanked: boolean;
  /** Why the identifier waits for an operator; null if it does not wait. */
  waits: { cause: "shared" | "braked"; reason: string } | null;
}

/**
 * Decides on one identifier. A USDOT number always takes effect at once. A contact that many businesses share is
 * blanked, and an operator decides about the businesses. While a feed is braked, an operator decides about every contact.
 */
export function decideByRule(match: Match, brakedFeeds: readonly string[]): IdentifierDecision {
  const isContact = match.kind === "phone" || match.kind === "email";
  if (match.isShared) {
    const reason = `the ${match.kind} is shared by more businesses than one request removes`;
    return { ...match, state: "waiting", isBlanked: isContact, waits: { cause: "shared", reason } };
  }
  if (isContact && brakedFeeds.length > 0) {
    const reason = `much of ${brakedFeeds.join(", ")} was removed within a day`;
    return { ...match, state: "waiting", isBlanked: false, waits: { cause: "braked", reason } };
  }
  return { ...match, state: "in_force", isBlanked: false, waits: null };
}
