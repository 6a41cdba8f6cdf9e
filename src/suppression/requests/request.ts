// Public removal requests: who sent them, what they remove, and what operators decide about them.
// Owns the tables removal_*, suppressed_business, blanked_contact and suppression_state.
// An answered request is in effect everywhere and stays in effect after every import. The answer tells nobody whether
// anything matched.
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as sql from "../../generated/sql/suppression/requests.ts";
import type { components } from "../../generated/types.ts";
import type { Context, Database } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { type ClientLimit, clientDigest, countClient } from "../../platform/http/client.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { AskedRemoval, OptOutIn } from "../asked.ts";
import { type Match, matchesOf } from "../matching.ts";
import { lockList, putOnList, type ServedFeeds } from "../removal-list.ts";
import { brakedFeeds, type RemovedLastDay } from "../status.ts";
import { queueConfirmation } from "./confirmation.ts";

/** For how many days the sender's own e-mail address and remarks are kept. */
export const REQUESTER_KEPT_DAYS = 90;

/** Minimum time of an answer: otherwise its time would tell whether there was something to remove. */
const SHORTEST_ANSWER_MS = 100;

/**
 * Records a removal request and puts it into effect, in one transaction, before it is answered. The answer is the same
 * for every outcome. In test mode nothing is recorded: its registry is the same for everybody. Throws InvalidRequestError,
 * ProblemError rate_limited, missing_identifier or invalid_identifier.
 */
export async function requestRemoval(
  context: Context,
  feeds: ServedFeeds,
  clientAddress: string,
  sent: OptOutIn,
): Promise<components["schemas"]["OptOutOut"]> {
  const digest = clientDigest(context, clientAddress);
  await countClient(context, clientLimit(context), digest);
  // Loaded with the first request: the rules of phone numbers take 10 MB.
  const { requireAsked } = await import("../asked.ts");
  const asked = requireAsked(sent);
  const [requestId] = await Promise.all([
    context.live === undefined
      ? inTurn(context.db, () => recordRemoval(context, feeds, digest, asked))
      : newRequestId(),
    wait(SHORTEST_ANSWER_MS),
  ]);
  return { request_id: requestId, status: "suppressed" };
}

const clientLimit = ({ config }: Context): ClientLimit => ({
  table: "removal_client",
  most: config.optOutPerMinute,
  windowMinutes: 1,
  refusal: (retryAfterSeconds) =>
    `This address may send ${config.optOutPerMinute} removal requests a minute. Try again in ${retryAfterSeconds} s.`,
});

/** Random, so that a number tells neither how many requests there are nor the next number. */
const newRequestId = (): number => randomInt(10_000_000_000_000, 100_000_000_000_000);

async function recordRemoval(
  context: Context,
  feeds: ServedFeeds,
  clientDigest: Buffer,
  asked: AskedRemoval,
): Promise<number> {
  const requestId = newRequestId();
  const recorded = await context.db.transaction(async (client) => {
    const now = context.clock.now();
    await lockList(client);
    const braked = await brakedFeeds(client, feeds, now);
    const matches = await matchesOf(client, asked.identifiers);
    const decisions = matches.map((match) => decideByRule(match, namesOf(braked)));
    const request = { requestId, clientDigest, asked, decisions, now };
    await sql.recordRequest(client, recordOf(context, request));
    const { businesses } = await putOnList(client, feeds, effectsOf(requestId, decisions), now);
    // The list is locked, so over all processes exactly one request finds that it started the brake of a feed.
    const after = businesses > 0 ? await brakedFeeds(client, feeds, now) : braked;
    const newlyBraked = after.filter(({ feed }) => !namesOf(braked).includes(feed));
    const { requesterEmail } = asked;
    if (requesterEmail !== null) {
      await queueConfirmation(context, client, { requestId, requesterEmail, clientDigest }, now);
    }
    return { decisions, newlyBraked };
  });
  tellOperators(context, requestId, recorded);
  return requestId;
}

const namesOf = (feeds: readonly RemovedLastDay[]): string[] => feeds.map(({ feed }) => feed);

function tellOperators(
  { log }: Context,
  requestId: number,
  {
    decisions,
    newlyBraked,
  }: { decisions: readonly IdentifierDecision[]; newlyBraked: readonly RemovedLastDay[] },
): void {
  if (newlyBraked.length > 0) {
    log.error(
      { requestId, feeds: newlyBraked },
      "Many businesses were removed within a day. Removals by number still take effect; removals by phone or e-mail " +
        "wait. Check `tdf removal list`, and undo wrong removals with `tdf removal undo`.",
    );
  }
  const waits = decisions.flatMap((each) => each.waits ?? []);
  if (waits.length === 0) return;
  const level = waits.some(({ cause }) => cause === "braked") ? "error" : "warn";
  const reasons = waits.map(({ reason }) => reason);
  log[level]({ requestId, reasons }, "A removal request waits for an operator (tdf removal review).");
}

function recordOf(
  { secrets }: Context,
  request: {
    requestId: number;
    clientDigest: Buffer;
    asked: AskedRemoval;
    decisions: IdentifierDecision[];
    now: Date;
  },
): sql.RecordRequestParams {
  const { requestId, clientDigest, asked, decisions, now } = request;
  const { requesterEmail, details } = asked;
  const digests = decisions.map(({ kind, value }) => [kind, secrets.digest(value, kind).toString("hex")]);
  const reasons = decisions.flatMap(({ waits }) => waits?.reason ?? []);
  return {
    requestId,
    now,
    clientDigest,
    requesterDigest:
      requesterEmail === null ? null : secrets.digest(requesterEmail.toLowerCase(), "requester"),
    identifierDigests: JSON.stringify(Object.fromEntries(digests)),
    kinds: decisions.map(({ kind }) => kind),
    values: decisions.map(({ value }) => value),
    states: decisions.map(({ state }) => state),
    areBlanked: decisions.map(({ isBlanked }) => isBlanked),
    decision: reasons.length > 0 ? "review" : "suppressed",
    reason: reasons.join("; "),
    requesterEmail,
    details,
  };
}

const effectsOf = (requestId: number, decisions: readonly IdentifierDecision[]) => ({
  businesses: decisions
    .filter(({ state }) => state === "in_force")
    .flatMap(({ usdots }) => usdots.map((usdot) => ({ requestId, usdot }))),
  contacts: decisions.flatMap(({ isBlanked, value }) => (isBlanked ? [{ requestId, value }] : [])),
});

/** The decision on one identifier of a request, and what it matches. */
interface IdentifierDecision extends Match {
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
function decideByRule(match: Match, brakedFeeds: readonly string[]): IdentifierDecision {
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

interface Queue {
  waiting: number;
  last: Promise<unknown>;
  /** Shared by all that joined since the database last failed to answer. */
  round: { isRefused: boolean };
}

/** More than honest senders need; all of them are answered within a minute. */
const MOST_WAITING = 1_000;

const queueOf = perDatabase(
  (): Queue => ({ waiting: 0, last: Promise.resolve(), round: { isRefused: false } }),
);

/**
 * In-process mutex with a bounded queue. Requests change one list, so they would wait for each other in the database,
 * each with a connection that customers need. Throws ProblemError unavailable when the queue is full, and to all that wait
 * when the database did not answer one of them in time: each would wait as long for the same lock.
 */
async function inTurn<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(db);
  if (queue.waiting >= MOST_WAITING) {
    throw new ProblemError("unavailable", "Many removal requests are being recorded. Try again shortly.");
  }
  queue.waiting += 1;
  const { round } = queue;
  const workUnlessRefused = async (): Promise<T> => {
    if (round.isRefused) {
      throw new ProblemError("unavailable", "Removal requests can't be recorded now. Try again shortly.");
    }
    try {
      return await work();
    } catch (error) {
      if (toDatabaseError(error) instanceof DatabaseUnavailableError) {
        round.isRefused = true;
        queue.round = { isRefused: false };
      }
      throw error;
    }
  };
  const turn = queue.last.then(workUnlessRefused).finally(() => {
    queue.waiting -= 1;
  });
  queue.last = turn.catch(() => {});
  return turn;
}
