import { setTimeout } from "node:timers/promises";
import { isTestKey, keyText, parseKey } from "../../../src/accounts/keys/key-format.ts";
import { CONTRACT_CASES, type ContractCase, type Sender } from "../cases/contract-cases.ts";
import { type Answer, sendCase, type TargetFacts } from "./send-case.ts";
import { openTestAccount } from "./test-account.ts";

export interface Deployment {
  baseUrl: string;
  facts: TargetFacts;
  /** Of the key: the cases wait for the next minute when they are used up. */
  requestsPerMinute: number;
  /** Why a case cannot be tried there, or undefined when it can. */
  obstacleTo(one: ContractCase): string | undefined;
  /** Removes what was made for the cases. */
  close(): Promise<void>;
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

/** With a live key nothing is made: the cases only ask for what does not exist. */
const NOTHING_MADE = {
  staleDot: "",
  staleDocket: "",
  endpoint: Number.MAX_SAFE_INTEGER,
  delivery: Number.MAX_SAFE_INTEGER,
  testedEndpoint: Number.MAX_SAFE_INTEGER,
  watchlistOf: () => Number.MAX_SAFE_INTEGER,
  ownKey: "zzzzzzzz",
  endedKey: "zzzzzzzz",
};

/**
 * The cases for a key: with a test key all but those of the mock alone and of a live key, with a live one those that write
 * nothing and need nothing made for them.
 */
export const casesFor = (key: string): readonly ContractCase[] =>
  CONTRACT_CASES.filter(({ targets, code }) =>
    isTestKey(key)
      ? targets.some((target) => target !== "mock") && code !== "test_key_required"
      : targets.includes("deployment"),
  );

/** Reads the data of the key: the cases need a carrier, and the versions of its feeds. */
export async function openDeployment(address: string, key: string): Promise<Deployment> {
  const baseUrl = address.replace(/\/$/, "");
  const account = isTestKey(key) ? await openTestAccount(baseUrl, key) : undefined;
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
      ...NOTHING_MADE,
      keyOf: (sender) => keysFrom(key)[sender],
      dot: dot ?? "",
      eventType: eventType ?? "",
      cursor: events?.meta.resume_cursor ?? "",
      event: events?.data[0]?.id ?? 0,
      versionOf: (feed) => metas.get(feed)?.version ?? 0,
      removalsOf: (feed) => metas.get(feed)?.checkpoint.removals ?? 0,
      ...account?.facts,
    },
    close: async () => account?.clear(),
    obstacleTo({ feed, unpublishedFeed, path, operation, status }) {
      if (account !== undefined) return undefined;
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

/** More than what any limit of a minute allows. */
const BATCHES = 15;
const BATCH = 8;

/** Sends the case until it is refused, when it is about a limit that other requests use up. */
async function sendUntilRefused({ baseUrl, facts }: Deployment, one: ContractCase): Promise<Answer> {
  let last: Answer[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    last = await Promise.all(Array.from({ length: BATCH }, () => sendCase(baseUrl, one, facts)));
    const refused = last.find(({ status }) => status === one.status);
    if (refused !== undefined) return refused;
  }
  return last[0] as Answer;
}

/** Sends the case, and again after the Retry-After when the key's minute is used up. */
export async function sendWithinRate(deployment: Deployment, one: ContractCase): Promise<Answer> {
  const { baseUrl, facts } = deployment;
  const isOfSender = Object.keys(facts.headersOf?.(one) ?? {}).length > 0;
  if (one.status === 429 && !isOfSender) return sendUntilRefused(deployment, one);
  const answer = await sendCase(baseUrl, one, facts);
  if (answer.status !== 429 || one.status === 429) return answer;
  await setTimeout(Number(answer.headers.get("Retry-After")) * 1000);
  return sendCase(baseUrl, one, facts);
}

/** Keys that can be made from one good key alone. */
export function keysFrom(key: string): Partial<Record<Sender, string>> {
  const id = parseKey(key)?.id ?? "00000000";
  return {
    customer: key,
    malformed_key: "not-a-key",
    wrong_key: keyText(id, "0".repeat(30), isTestKey(key) ? "test" : "live"),
  };
}
