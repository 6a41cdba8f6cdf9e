import { setTimeout } from "node:timers/promises";
import { keyText, parseKey } from "../../../src/accounts/keys/key-format.ts";
import type { ContractCase, Sender } from "../contract-cases.ts";
import { type Answer, sendCase, type TargetFacts } from "./send-case.ts";

export interface Deployment {
  baseUrl: string;
  facts: TargetFacts;
  /** Of the key: the cases wait for the next minute when they are used up. */
  requestsPerMinute: number;
  /** Why a case cannot be tried there, or undefined when it can. */
  obstacleTo(one: ContractCase): string | undefined;
}

interface FeedShown {
  code: string;
  as_of: string | null;
  fresh: boolean;
}

interface Page {
  data: { dot_number: string }[];
  meta: { feed: string; version: number; checkpoint: { removals: number } };
}

interface EventsShown {
  data: { id: number }[];
  meta: { types: string[]; resume_cursor: string };
}

/** Reads the data of the key: the cases need a carrier, and the versions of its feeds. */
export async function openDeployment(address: string, key: string): Promise<Deployment> {
  const baseUrl = address.replace(/\/$/, "");
  const read = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(baseUrl + path, {
      headers: { "X-API-Key": key },
      signal: AbortSignal.timeout(15_000),
    });
    if (!response.ok)
      throw new Error(`${baseUrl}${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const readIfFresh = async <Body>(path: string): Promise<Body | undefined> =>
    read<Body>(path).catch((error: Error) => {
      if (error.message.includes(" answered 503:")) return undefined;
      throw error;
    });
  const { data: feeds } = await read<{ data: FeedShown[] }>("/v1/feeds");
  const fresh = feeds.filter((feed) => feed.fresh);
  const pages = await Promise.all(
    fresh.map(({ code }) => read<Page>(`/v1/feeds/${code}/records?page_size=1`)),
  );
  const { limits } = await read<{ limits: { api_rpm: number } }>("/v1/usage");
  const dot = pages.flatMap(({ data }) => data)[0]?.dot_number;
  const events = await readIfFresh<EventsShown>("/v1/events?limit=1");
  const eventType = events?.meta.types[0];
  const metas = new Map(pages.map(({ meta }) => [meta.feed, meta]));
  const unpublished = new Set(feeds.filter((feed) => feed.as_of === null).map(({ code }) => code));
  return {
    baseUrl,
    requestsPerMinute: limits.api_rpm,
    facts: {
      keyOf: (sender) => keysFrom(key)[sender],
      dot: dot ?? "",
      staleDot: "",
      eventType: eventType ?? "",
      cursor: events?.meta.resume_cursor ?? "",
      event: events?.data[0]?.id ?? 0,
      // The cases only ask for endpoints that do not exist.
      endpoint: Number.MAX_SAFE_INTEGER,
      delivery: Number.MAX_SAFE_INTEGER,
      testedEndpoint: Number.MAX_SAFE_INTEGER,
      watchlistOf: () => Number.MAX_SAFE_INTEGER,
      ownKey: "zzzzzzzz",
      endedKey: "zzzzzzzz",
      versionOf: (feed) => metas.get(feed)?.version ?? 0,
      removalsOf: (feed) => metas.get(feed)?.checkpoint.removals ?? 0,
    },
    obstacleTo({ targets, feed, unpublishedFeed, path, operation, status }) {
      if (!targets.includes("deployment")) return "needs accounts, plans or data made for it";
      if (feed !== undefined && !metas.has(feed))
        return `the key does not read ${feed} there, or it is stale`;
      if (unpublishedFeed !== undefined && !unpublished.has(unpublishedFeed))
        return `the plan there lacks ${unpublishedFeed}, or it is published`;
      if (path.includes("{dot}") && dot === undefined) return "no feed there has a record";
      if (operation === "listEvents" && status === 200 && events === undefined)
        return "events are stale there";
      if (path.includes("{event}") && events?.data[0] === undefined)
        return "the last days have no event there";
      if (path.includes("{event_type}") && eventType === undefined) return "the plan there lacks events";
      return undefined;
    },
  };
}

/** Sends the case, and again after the Retry-After when the key's minute is used up. */
export async function sendWithinRate({ baseUrl, facts }: Deployment, one: ContractCase): Promise<Answer> {
  const answer = await sendCase(baseUrl, one, facts);
  if (answer.status !== 429 || one.status === 429) return answer;
  await setTimeout(Number(answer.headers.get("Retry-After")) * 1000);
  return sendCase(baseUrl, one, facts);
}

/** Keys that can be made from one good key alone. */
export function keysFrom(key: string): Partial<Record<Sender, string>> {
  const id = parseKey(key)?.id ?? "00000000";
  return { customer: key, malformed_key: "not-a-key", wrong_key: keyText(id, "0".repeat(30)) };
}
