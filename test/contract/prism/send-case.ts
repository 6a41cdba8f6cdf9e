import type { ContractCase, Sender } from "../cases/contract-cases.ts";

/** The values that a target inserts into the cases: keys, and facts about its data. */
export interface TargetFacts {
  keyOf(sender: Sender, one?: ContractCase): string | undefined;
  /** Headers that bring the target to the state of the case. */
  headersOf?(one: ContractCase): Record<string, string>;
  /** A carrier in one of the feeds. */
  dot: string;
  /** A carrier in a feed whose data is too old to be served. */
  staleDot: string;
  /** Its docket number. */
  staleDocket: string;
  /** An event type of the customer's plan. */
  eventType: string;
  /** A cursor of the customer's events. */
  cursor: string;
  /** An event that the plan of the customer includes. */
  event: number;
  /** A webhook endpoint of the customer. */
  endpoint: number;
  /** A delivery of that endpoint. */
  delivery: number;
  /** One that has used up its test deliveries of the minute. */
  testedEndpoint: number;
  /** A watchlist of the account of the sender, or of the customer. */
  watchlistOf: (sender: Sender) => number;
  /** A key of the customer beside the one that is sent. */
  ownKey: string;
  /** A revoked key of the customer. */
  endedKey: string;
  versionOf(feed: string): number;
  /** `removals` of the checkpoint of that version. */
  removalsOf(feed: string): number;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Longer than any answer takes; Prism never answers some requests. */
const TIMEOUT_MS = 15_000;

/** Sends the case's request, twice if it says so, and reads the last answer. */
export async function sendCase(
  baseUrl: string,
  one: ContractCase,
  facts: TargetFacts,
  extraHeaders: Record<string, string> = {},
): Promise<Answer> {
  const carriersIn = (text: string) =>
    text
      .replace("{dot}", facts.dot)
      .replace("{stale_dot}", facts.staleDot)
      .replace("{stale_docket}", facts.staleDocket);
  const path = carriersIn(one.path)
    .replace("{event_type}", facts.eventType)
    .replace("{cursor}", facts.cursor)
    .replace("{event}", String(facts.event))
    .replace("{endpoint}", String(facts.endpoint))
    .replace("{delivery}", String(facts.delivery))
    .replace("{tested_endpoint}", String(facts.testedEndpoint))
    .replace("{watchlist}", String(facts.watchlistOf(one.sender ?? "customer")))
    .replace("{own_key}", facts.ownKey)
    .replace("{ended_key}", facts.endedKey)
    .replaceAll("{version}", () => String(facts.versionOf(one.feed ?? "")))
    .replaceAll("{removals}", () => String(facts.removalsOf(one.feed ?? "")));
  const key = facts.keyOf(one.sender ?? "customer", one);
  const headers = {
    ...(key === undefined ? {} : { "X-API-Key": key }),
    ...one.headers,
    ...facts.headersOf?.(one),
    ...extraHeaders,
  };
  const body = one.body === undefined ? {} : { body: carriersIn(JSON.stringify(one.body)) };
  const send = async (more: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method: one.method ?? "GET",
      headers: { ...headers, ...more },
      ...body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  if (!one.isRepeatedWithEtag) return send();
  return send({ "If-None-Match": (await send()).headers.get("ETag") ?? "none was sent" });
}
