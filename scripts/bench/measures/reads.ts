import { DEFAULT_SINCE_DAYS } from "../../../src/events/read.ts";
import type { Bench } from "../frame/bench.ts";
import type { Finding, Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { throughputOf, visitsOf } from "../programs/load-generator.ts";
import { countedService } from "../setup/counted-service.ts";
import { EVENT_DAYS, eventsPath, servedEvents } from "../setup/events.ts";
import { bareHttp } from "../setup/hot-page.ts";
import { pagePath, servedFeeds, sharedService } from "../setup/served.ts";
import { CONNECTIONS, STEP, visitorsOf } from "../setup/visitors.ts";

// What customers ask for that no earlier answer has: pages in random order, companies, events, usage.

const PAGE = 100;

/** Requests of one customer, each with another path or another body. */
interface Requests {
  url: string;
  headers: Record<string, string>;
  pathOf(index: number): string;
  bodyOf?: (index: number) => string;
  /** 32 unless given. */
  connections?: number;
}

async function perSecond(
  bench: Bench,
  { url, headers, pathOf, bodyOf, connections = CONNECTIONS }: Requests,
): Promise<number> {
  const { warmMs, runMs } = bench.sizes;
  const visitors = visitorsOf(() => headers, pathOf, { connections }).map((visitor, at) => ({
    ...visitor,
    ...(bodyOf && { bodies: visitor.paths.map((_, index) => bodyOf(at * visitor.paths.length + index)) }),
  }));
  await visitsOf(bench, url, visitors, warmMs);
  return (await visitsOf(bench, url, visitors, runMs)).perSecond;
}

/** Requests to the service of the feeds. */
async function requestsOf(bench: Bench, pathOf: Requests["pathOf"]): Promise<Requests> {
  const { headers } = (await servedFeeds(bench)).customer;
  return { url: (await sharedService(bench)).url, headers, pathOf };
}

async function pagesOf(bench: Bench, pageSize = PAGE): Promise<Requests> {
  const { imported } = await servedFeeds(bench);
  const pages = Math.floor(imported.rows / pageSize);
  return requestsOf(bench, (index) => pagePath(imported, 1 + ((index * STEP) % pages), "", pageSize));
}

const coldPage: Measure = {
  name: "cold-page",
  what: "pages of 100 records of the imported feed in a random order, the whole pipeline, 32 connections",
  against: "one page again and again",
  target: { atLeast: 0.6 },
  unit: "×",
  run: async (bench) => {
    const cold = await pagesOf(bench);
    const { imported } = await servedFeeds(bench);
    const hotPage = cold.url + cold.pathOf(0);
    const hot = { connections: CONNECTIONS, headers: cold.headers };
    const bare = await bareHttp(bench, null, hotPage);
    const pairs = await inRounds(bench, "cold-page", async () => ({
      subject: await perSecond(bench, cold),
      limit: await throughputOf(bench, hotPage, hot),
      bare: await throughputOf(bench, bare.url, { connections: CONNECTIONS }),
    }));
    bare.stop();
    const pages = Math.floor(imported.rows / PAGE);
    const bareAnswers = rounded(median(pairs.map((pair) => pair.bare)));
    return ratioOf(pairs, "answers/s", {
      pages,
      pageBytes: bare.pageBytes,
      bareAnswersPerSecond: bareAnswers,
    });
  },
};

const pageBytes: Measure = {
  name: "page-bytes",
  what: "bytes that the database sends for such a page",
  against: "the page's admission and charge alone",
  target: { atMost: 2_000 },
  unit: "bytes",
  run: async (bench) => {
    const { url, receivedBytes } = await countedService(bench);
    const { warmMs, runMs } = bench.sizes;
    const { headers, pathOf } = await pagesOf(bench);
    const visitors = visitorsOf(() => headers, pathOf);
    await visitsOf(bench, url, visitors, warmMs);
    const before = receivedBytes();
    const { requests, sizeBytes } = await visitsOf(bench, url, visitors, runMs);
    const bytes = (receivedBytes() - before) / requests;
    return { value: Math.round(bytes), details: { requests, pageBytes: Math.round(sizeBytes / requests) } };
  },
};

/** How many times as long some requests take as others. */
const timesAs = async (bench: Bench, name: string, subject: Requests, limit: Requests): Promise<Finding> =>
  ratioOf(
    await inRounds(bench, name, async () => ({
      subject: 1000 / (await perSecond(bench, subject)),
      limit: 1000 / (await perSecond(bench, limit)),
    })),
    "ms",
    { connections: subject.connections ?? CONNECTIONS },
  );

const lookup: Measure = {
  name: "lookup",
  what: "a carrier by its USDOT number, 32 connections",
  against: "a page of one record",
  target: { atMost: 1.5 },
  unit: "×",
  run: async (bench) => {
    const { deep } = await servedFeeds(bench);
    // The businesses of the large version have these numbers.
    const lookups = await requestsOf(
      bench,
      (index) => `/v1/carriers/${1_000_000 + ((index * STEP) % deep.rows)}`,
    );
    return timesAs(bench, "lookup", lookups, await pagesOf(bench, 1));
  },
};

/** The most of both. */
const MANY = 1_000;

const lookupMany: Measure = {
  name: "lookup-many",
  what: "1,000 carriers by their USDOT numbers in one request, one connection",
  against: "a page of 1,000 records",
  target: { atMost: 3 },
  unit: "×",
  run: async (bench) => {
    const { deep } = await servedFeeds(bench);
    const bodyOf = (request: number) => {
      const usdotOf = (_: unknown, index: number) =>
        String(1_000_000 + (((request * MANY + index) * STEP) % deep.rows));
      return JSON.stringify({ usdots: Array.from({ length: MANY }, usdotOf) });
    };
    const alone = { connections: 1 };
    const lookups = { ...(await requestsOf(bench, () => "/v1/carriers/lookup")), bodyOf, ...alone };
    const { url, headers } = lookups;
    const pages = Math.floor(deep.rows / MANY);
    const pathOf = (index: number) => pagePath(deep, 1 + ((index * STEP) % pages), "", MANY);
    return timesAs(bench, "lookup-many", lookups, { url, headers, pathOf, ...alone });
  },
};

const search: Measure = {
  name: "search",
  what: "carriers by their names, every second one with a letter left out, 32 connections",
  against: "pages of 100 records",
  target: { atMost: 5 },
  unit: "×",
  run: async (bench) => {
    const { names, nameCount } = await servedFeeds(bench);
    const asked = names.map((name, index) => (index % 2 === 0 ? name : withoutLetter(name)));
    const searches = await requestsOf(
      bench,
      (index) => `/v1/carriers?name=${encodeURIComponent(asked[index % asked.length] ?? "")}`,
    );
    const found = await timesAs(bench, "search", searches, await pagesOf(bench));
    return { ...found, details: { ...found.details, names: nameCount } };
  },
};

/** The third letter of its longest word is left out. */
function withoutLetter(name: string): string {
  const [longest = ""] = name.split(" ").toSorted((a, b) => b.length - a.length);
  return name.replace(longest, longest.slice(0, 2) + longest.slice(3));
}

const usage: Measure = {
  name: "usage",
  what: "the account's usage, 32 connections",
  against: "a page of one record",
  target: { atMost: 1.5 },
  unit: "×",
  run: async (bench) =>
    timesAs(bench, "usage", await requestsOf(bench, () => "/v1/usage"), await pagesOf(bench, 1)),
};

/** Of some seconds each. The service makes a file of events in the first ones that ask for them. */
const RUNS_BEFORE = 3;

const eventsPage: Measure = {
  name: "events-page",
  what: `pages of 100 events of the last ${DEFAULT_SINCE_DAYS} of ${EVENT_DAYS} days, 32 connections`,
  against: "pages of 100 records",
  target: { atMost: 2 },
  unit: "×",
  run: async (bench) => {
    const { service, customer, events, cursorAt } = await servedEvents(bench);
    const pagesAfter = (first: number): Requests => {
      const last = Math.max(events - first - 2 * PAGE, 1);
      const pathOf = (index: number) => eventsPath(cursorAt(first + ((index * STEP) % last)), "");
      return { url: service.url, headers: customer.headers, pathOf };
    };
    const records = await pagesOf(bench);
    const daysAgo = events - Math.ceil((events * DEFAULT_SINCE_DAYS) / EVENT_DAYS);
    const newest = pagesAfter(daysAgo);
    bench.say("asking for events until the service has them in its files");
    for (let runs = 0; runs < RUNS_BEFORE; runs++) await perSecond(bench, newest);
    const found = await timesAs(bench, "events-page", newest, records);
    const anywhere = await timesAs(bench, "events-page of any day", pagesAfter(0), records);
    return { ...found, details: { ...found.details, anywhere: anywhere.value } };
  },
};

export const READS: readonly Measure[] = [coldPage, pageBytes, lookup, lookupMany, search, usage, eventsPage];
