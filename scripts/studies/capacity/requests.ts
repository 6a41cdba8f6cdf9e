import { cursorAt } from "../../../src/events/cursor.ts";
import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import { instanceId } from "../../../src/platform/installation/installation.ts";
import { type Bench, sharedIn } from "../../bench/frame/bench.ts";
import { downloadOf, visitsOf } from "../../bench/programs/load-generator.ts";
import { countedService } from "../../bench/setup/counted-service.ts";
import { addCustomers, type Customer } from "../../bench/setup/customer.ts";
import { eventsPath, writeEvents } from "../../bench/setup/events.ts";
import { onDatabase } from "../../bench/setup/open-database.ts";
import { exportPath, pagePath, servedFeeds, sharedService } from "../../bench/setup/served.ts";
import { rowsInEightStates, STATES_FILTER } from "../../bench/setup/states.ts";
import { CONNECTIONS, STEP, visitorsOf } from "../../bench/setup/visitors.ts";
import type { Work } from "./work.ts";

const EVENTS = 50_000;

interface Customers {
  one: Customer;
  /** One for each connection. */
  many: Customer[];
  /** The cursor of `one` after the event of that id. */
  eventCursor(id: number): string;
  events: number;
}

/** The customers of the feeds that are served, and some events that they may read. */
const customersOf = sharedIn(async (bench): Promise<Customers> => {
  const { databaseUrl, customer: one } = await servedFeeds(bench);
  const events = Math.min(EVENTS, bench.sizes.events);
  return onDatabase(bench, databaseUrl, async (context) => {
    await writeEvents(context, events);
    const owner = { instanceId: await instanceId(context), accountId: one.accountId };
    const many = await addCustomers(context, CONNECTIONS);
    return { one, many, eventCursor: (id) => cursorAt(owner, id), events };
  });
});

/** Requests over connections, each with paths of its own; `pathOf` gets a number that no other request has. */
const requests = (
  work: Pick<Work, "name" | "what">,
  options: {
    connections?: number;
    eachItsAccount?: boolean;
    pathsOf(bench: Bench): Promise<(index: number) => string>;
  },
): Work => ({
  ...work,
  unit: "request",
  process: "serve",
  open: async (bench) => {
    const { url, pid } = await sharedService(bench);
    const { one, many } = await customersOf(bench);
    const { connections = CONNECTIONS, eachItsAccount = false } = options;
    const pathOf = await options.pathsOf(bench);
    const { warmMs, runMs } = bench.sizes;
    let turns = 0;
    const headersOf = (visitor: number) => ({
      ...(eachItsAccount ? (many[visitor] as Customer) : one).headers,
    });
    const visitors = () => visitorsOf(headersOf, pathOf, { connections, turn: turns++ });
    return async (meter) => {
      await visitsOf(bench, url, visitors(), warmMs);
      const metered = await meter(pid, async () => {
        const { requests, sizeBytes } = await visitsOf(bench, url, visitors(), runMs);
        return { units: requests, sentBytes: sizeBytes };
      });
      const counted = await countedService(bench);
      await visitsOf(bench, counted.url, visitors(), warmMs);
      const before = counted.receivedBytes();
      const { requests } = await visitsOf(bench, counted.url, visitors(), warmMs);
      return { ...metered, databaseBytes: ((counted.receivedBytes() - before) / requests) * metered.units };
    };
  },
});

const anyPage = async (bench: Bench) => {
  const { deep } = await servedFeeds(bench);
  const pages = Math.floor(deep.rows / 100);
  return (index: number) => pagePath(deep, 1 + ((index * STEP) % pages));
};

const wholeExport = (work: Pick<Work, "name" | "what">, filter: string): Work => ({
  ...work,
  unit: "row",
  process: "serve",
  open: async (bench) => {
    const { databaseUrl, whole, customer } = await servedFeeds(bench);
    const { url, pid } = await sharedService(bench);
    const rows = filter === "" ? whole.rows : await rowsInEightStates(databaseUrl, whole);
    const address = url + exportPath(whole, filter);
    await downloadOf(bench, address, customer.headers);
    const least = bench.sizes.runMs;
    return async (meter) => {
      const metered = await meter(pid, async () => {
        const startedAt = performance.now();
        let [units, sentBytes] = [0, 0];
        while (performance.now() - startedAt < least) {
          sentBytes += (await downloadOf(bench, address, customer.headers)).sizeBytes;
          units += rows;
        }
        return { units, sentBytes };
      });
      const counted = await countedService(bench);
      const before = counted.receivedBytes();
      await downloadOf(bench, counted.url + exportPath(whole, filter), customer.headers);
      return { ...metered, databaseBytes: ((counted.receivedBytes() - before) / rows) * metered.units };
    };
  },
});

/** What the API does. */
export const REQUESTS: readonly Work[] = [
  requests(
    { name: "page-hot", what: "the same page of 100 records again and again; one account, 32 connections" },
    {
      pathsOf: async (bench) => {
        const { deep } = await servedFeeds(bench);
        return () => pagePath(deep, 1);
      },
    },
  ),
  requests(
    { name: "page", what: "pages of 100 records all over a feed; one account, 32 connections" },
    { pathsOf: anyPage },
  ),
  requests(
    { name: "page-accounts", what: "the same; 32 accounts with one connection each" },
    { eachItsAccount: true, pathsOf: anyPage },
  ),
  requests(
    { name: "page-alone", what: "the same; one account with one connection" },
    { connections: 1, pathsOf: anyPage },
  ),
  requests(
    { name: "page-filtered", what: "pages of eight states; 32 accounts with one connection each" },
    {
      eachItsAccount: true,
      pathsOf: async (bench) => {
        const { databaseUrl, deep } = await servedFeeds(bench);
        const pages = Math.floor((await rowsInEightStates(databaseUrl, deep)) / 100);
        return (index) => pagePath(deep, 1 + ((index * STEP) % pages), STATES_FILTER);
      },
    },
  ),
  requests(
    { name: "filter-new", what: "the first page of a filter that nobody used before; 32 accounts" },
    {
      eachItsAccount: true,
      pathsOf: async (bench) => {
        const { deep } = await servedFeeds(bench);
        const today = dayOf(systemClock.now());
        return (index) => {
          const since = addDays(today, -4_000 - (index % 6_000));
          const trucks = 5 + (Math.floor(index / 6_000) % 90);
          return pagePath(deep, 1, `${STATES_FILTER}&trucks_max=${trucks}&granted_since=${since}`);
        };
      },
    },
  ),
  requests(
    { name: "lookup", what: "a carrier by its USDOT number; 32 accounts" },
    {
      eachItsAccount: true,
      pathsOf: async (bench) => {
        const { deep } = await servedFeeds(bench);
        return (index) => `/v1/carriers/${1_000_000 + ((index * STEP) % deep.rows)}`;
      },
    },
  ),
  requests(
    { name: "events", what: "pages of 100 events; one account, 32 connections" },
    {
      pathsOf: async (bench) => {
        const { events, eventCursor } = await customersOf(bench);
        return (index) => eventsPath(eventCursor((index * STEP) % (events - 200)), "");
      },
    },
  ),
  wholeExport({ name: "export", what: "a whole feed as CSV, from the file that its first export made" }, ""),
  wholeExport({ name: "export-filtered", what: "the rows of eight states as CSV" }, STATES_FILTER),
];
