import type { Match } from "../matching.ts";

/** What is to become of one identifier of a request. */
export interface Judged extends Match {
  state: "in_force" | "waiting";
  /** The contact goes from wherever it stands, at once. */
  isBlanked: boolean;
  /** Why it waits for an operator; null: it does not. */
  waits: { because: "it is shared" | "the brake is on"; reason: string } | null;
}

/**
 * What a match brings about. A USDOT number takes effect at once, always. A contact that many businesses share is
 * blanked, and a person decides about the businesses; while a feed has its brake on, one decides about every contact.
 */
export function judge(match: Match, brakedFeeds: readonly string[]): Judged {
  const isContact = match.kind === "phone" || match.kind === "email";
  if (match.isShared) {
    const reason = `the ${match.kind} is shared by more businesses than one request removes`;
    return { ...match, state: "waiting", isBlanked: isContact, waits: { because: "it is shared", reason } };
  }
  if (isContact && brakedFeeds.length > 0) {
    const reason = `much of ${brakedFeeds.join(", ")} was removed within a day`;
    return { ...match, state: "waiting", isBlanked: false, waits: { because: "the brake is on", reason } };
  }
  return { ...match, state: "in_force", isBlanked: false, waits: null };
}
