// Every way in which a customer can read a business over HTTP, and an operator its history.
import { readCarrierChanges } from "../../../src/carriers/carrier-changes.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";
import { REPLAY_KINDS } from "../../../src/webhooks/replay/replay-range.ts";
import { parquetRecords } from "../../support/feeds/parquet-records.ts";
import type { Business } from "./businesses.ts";
import { connectedPaths, tellsOfConnection, waitingMail } from "./connected-paths.ts";
import { answered, brokenOff, toolResult } from "./patient-requests.ts";
import { watchedPaths } from "./watched-paths.ts";

export interface ReadingPath {
  /** The address of the service, then the way. */
  name: string;
  /** Whether the answer to a request has the business now. */
  sees(): Promise<boolean>;
}

const SINCE = "2026-11-01T00:00:00Z";

/** A service with the keys to read it. */
export interface Reader {
  url: string;
  /** Without a place for files of rows it has no exports. */
  hasExports: boolean;
  keys: readonly [string, string];
  /** The service's own context, for what only the operator reads. */
  context: Context;
  /** Gets a page of the dashboard as the account's owner, whose free previews never run out. */
  look(address: string): Promise<Response>;
  /** The account, whose mail of changes waits. */
  accountId: number;
}

/** The ways to read the business from a service now, for example a page by its number. */
export async function readingPaths(
  { url, hasExports, keys, context, look, accountId }: Reader,
  {
    usdot,
    company,
    feed,
    state,
    docket,
    version,
    replaced,
    changedSince,
    connected,
    event,
    change,
  }: Business,
): Promise<ReadingPath[]> {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    answered(`${url}/v1/${path}`, { headers: { "X-API-Key": keys[0], ...headers } });
  const dot = String(usdot);
  const pageAt = async (query: string): Promise<Page> =>
    pageOf(await get(`feeds/${feed}/records?${query}`), dot);
  const recordsHave = async (query: string): Promise<boolean> => (await pageAt(query)).isThere;
  const eventsHave = async (query: string): Promise<boolean> => {
    for (let next = query; ; ) {
      const answer = await get(`events?limit=1000&${next}`);
      const { data, next_cursor } = (await answer.json()) as components["schemas"]["EventsOut"];
      if (data.some((event) => event.usdot === dot)) return true;
      if (next_cursor === null) return false;
      next = `cursor=${next_cursor}`;
    }
  };
  const pageHas = async (place: string): Promise<boolean> => {
    const answer = await look(`${url}/dashboard/${place}`);
    const own = `/dashboard/carriers/${dot}`;
    return (await answer.text()).includes(`${own}"`) || (answer.status === 200 && answer.url.endsWith(own));
  };
  const csvHas = async (query: string, key = keys[0]): Promise<boolean> => {
    const text = await (await get(`feeds/${feed}/export.csv?${query}`, { "X-API-Key": key })).text();
    if (!text.endsWith("\r\n")) throw new Error(`An export of ${feed} is not whole: ${text.slice(0, 300)}`);
    // An authority may have no docket.
    return new RegExp(`,${dot},([A-Z]+\\d+)?,`).test(text);
  };
  const exportHas = async (name: string, sent: Record<string, string> = {}, from = get): Promise<boolean> => {
    const answer = await from(`feeds/${feed}/${name}`, { "X-API-Key": keys[1], ...sent }).catch(brokenOff);
    const bytes = (await answer?.arrayBuffer().catch(brokenOff)) ?? null;
    // A part and a Parquet file break off when one of their businesses is removed: then a client begins again.
    if (answer === null || bytes === null) return exportHas(name, sent, from);
    const text = Buffer.from(bytes).toString();
    if (!answer.ok) throw new Error(`${name} of ${feed}: ${answer.status} ${text}`);
    if (!name.includes(".parquet")) return text.includes(`"${dot}"`);
    return (await parquetRecords(Buffer.from(bytes))).some((record) => record.dot_number === dot);
  };
  let page = 1;
  for (let at = await pageAt("page_size=50"); at.hasMore && !at.isThere; )
    at = await pageAt(`page_size=50&page=${++page}`);
  /** Whether an answer of a tool has the business, in its text or beside it, or one of the pages after it. */
  const toolHas = async (name: string, given: object): Promise<boolean> => {
    for (let next: object | null = given; next; ) {
      const result = await toolResult(`${url}/mcp`, keys[1], { name, arguments: next });
      const shown = [JSON.stringify(result.structuredContent), ...result.content.map(({ text }) => text)];
      if (shown.some((text) => text.includes(`"${dot}"`))) return true;
      next = result.structuredContent.next ?? null;
    }
    return false;
  };
  const changesHave = async (query: string): Promise<boolean> => {
    for (let next = query; ; ) {
      const answer = await get(`feeds/${feed}/changes?limit=1000&${next}`);
      const { data, next_cursor } = (await answer.json()) as components["schemas"]["FeedChangesOut"];
      if (JSON.stringify(data).includes(`"${dot}"`)) return true;
      if (next_cursor === null) return false;
      next = `cursor=${next_cursor}`;
    }
  };
  const lookUpHas = async (body: object): Promise<boolean> => {
    const answer = await answered(`${url}/v1/carriers/lookup`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": keys[0] },
      body: JSON.stringify(body),
    });
    const { data } = (await answer.json()) as components["schemas"]["CarrierLookupsOut"];
    return data.some(({ usdots }) => usdots.includes(dot));
  };
  const searchHas = async (query: string): Promise<boolean> => {
    const { data } = (await (
      await get(`carriers?limit=50&${query}`)
    ).json()) as components["schemas"]["CarriersOut"];
    return data.some(({ usdot }) => usdot === dot);
  };
  const replayHas = async (endpointId: number): Promise<boolean> => {
    const answer = await answered(`${url}/v1/webhooks/${endpointId}/replay`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": keys[0] },
      body: JSON.stringify({ from: SINCE, to: "2026-11-30T00:00:00Z", include: REPLAY_KINDS }),
    });
    const { deliveries } = (await answer.json()) as components["schemas"]["ReplayOut"];
    return deliveries > 0;
  };
  const mail = () => waitingMail(context, accountId);
  const cursor = await cursorBehindFirst(get);
  const before = await pageAt(`state=${state}&page_size=1000`);
  const paths: Record<string, () => Promise<boolean>> = {
    "a page": () => recordsHave(`page_size=50&page=${page}`),
    "a filtered page": () => recordsHave(`state=${state}&page_size=1000`),
    "a page of companies in and out of service": async () =>
      (await recordsHave(`out_of_service=false&state=${state}&page_size=1000`)) ||
      (await recordsHave(`out_of_service=true&state=${state}&page_size=1000`)),
    "a page of one column": () => recordsHave(`fields=dot_number&state=${state}&page_size=1000`),
    "a page since a day": () => recordsHave(`since=2000-01-01&state=${state}&page_size=1000`),
    "a version by number": () => recordsHave(`state=${state}&page_size=1000&version=${version}`),
    ...(replaced !== null && {
      "a replaced version": () => recordsHave(`state=${state}&page_size=1000&version=${replaced}`),
    }),
    "a page that was read before": async () => {
      const path = `feeds/${feed}/records?state=${state}&page_size=1000`;
      return before.isThere && (await get(path, { "If-None-Match": before.tag })).status === 304;
    },
    ...(changedSince !== null && {
      "changes since a version": () => changesHave(`since_version=${changedSince}`),
      "changes of a tool": () =>
        toolHas("feed_changes", { code: feed, since_version: changedSince, state: [state], limit: 50 }),
    }),
    ...(hasExports && {
      "an export": () => csvHas(""),
      "a filtered export": () => csvHas(`state=${state}`),
      "an export by number": () => csvHas(`version=${version}`, keys[1]),
      "an export as NDJSON": () => exportHas("export.ndjson"),
      "a part of an export": () =>
        exportHas(`export.ndjson?state=${state}`, { Range: "bytes=0-", "Accept-Encoding": "identity" }),
      "a part of an export of one column": () =>
        exportHas(`export.ndjson?state=${state}&fields=dot_number`, {
          Range: "bytes=0-",
          "Accept-Encoding": "identity",
        }),
      "an export as Parquet": () => exportHas(`export.parquet?state=${state}`),
      "a download of the dashboard": () =>
        exportHas(`export.ndjson?state=${state}`, {}, (path) => look(`${url}/dashboard/${path}`)),
    }),
    "a look-up": async () => (await get(`carriers/${dot}`)).status === 200,
    "a timeline": async () => (await get(`carriers/${dot}/timeline`)).status === 200,
    ...(connected && {
      "its connections": async () => (await get(`carriers/${dot}/connections`)).status === 200,
      ...connectedPaths(get, dot, connected),
      "a mail that waits, about another": async () => tellsOfConnection(await mail(), connected),
    }),
    "a mail that waits": async () => (await mail()).includes(`USDOT ${dot}\n`),
    "a look-up of many": () => lookUpHas({ usdots: [dot, "1"] }),
    ...(docket !== null && {
      "a look-up of many by docket": () => lookUpHas({ dockets: [docket] }),
      "a look-up of many of a tool": () => toolHas("look_up_carriers", { dockets: [docket] }),
    }),
    "a search by name": () => searchHas(`state=${state}&name=${encodeURIComponent(company)}`),
    ...(docket !== null && { "a search by docket": () => searchHas(`docket=${docket}`) }),
    "a search of a tool": () => toolHas("search_carriers", { name: company, state, limit: 50 }),
    "events by since": () => eventsHave(`since=${SINCE}`),
    "events of it": () => eventsHave(`since=${SINCE}&usdot=${dot}`),
    "events by cursor": () => eventsHave(`cursor=${cursor}`),
    "events of a type": async () =>
      (await Promise.all(EVENT_TYPES.map((type) => eventsHave(`since=${SINCE}&type=${type}`)))).includes(
        true,
      ),
    ...(event && {
      "an event by its id": async () => (await get(`events/${event.id}`)).status === 200,
      "a correction of its event": async () =>
        (await (await get(`events/corrections?since=${SINCE}&limit=1000`)).text()).includes(`"${dot}"`),
      "a delivery of its event": async () =>
        (await (await get(`webhooks/${event.endpointId}/deliveries/${event.deliveryId}`)).text()).includes(
          `\\"${dot}\\"`,
        ),
      "the count of a replay": () => replayHas(event.endpointId),
      "the dashboard's delivery": async () => {
        const place = `webhooks/${event.endpointId}/deliveries/${event.deliveryId}`;
        return (await (await look(`${url}/dashboard/${place}`)).text()).includes(dot);
      },
    }),
    "a company's page": () => pageHas(`carriers/${dot}`),
    ...(docket !== null && { "a company by its docket": () => pageHas(`carriers?company=${docket}`) }),
    "the dashboard's events": () => pageHas(`events?usdot=${dot}`),
    "a page of a tool": () => toolHas("read_records", { code: feed, state: [state], page_size: 50 }),
    "a look-up of a tool": () => toolHas("look_up_carrier", { dot }),
    "its recorded changes": async () =>
      (await readCarrierChanges(context, usdot, { category: null, since: null, limit: 1 })).changes.length >
      0,
    ...(await watchedPaths({ url, key: keys[0], change, alsoWatched: connected?.usdot }, dot)),
    "events of a tool": () => toolHas("read_events", { since: SINCE, limit: 100 }),
  };
  return Object.entries(paths).map(([name, sees]) => ({ name: `${url} ${name}`, sees }));
}

interface Page {
  isThere: boolean;
  hasMore: boolean;
  tag: string;
}

async function pageOf(answer: Response, dot: string): Promise<Page> {
  const { data, has_more } = (await answer.json()) as components["schemas"]["RecordsOut"];
  const isThere = data.some(({ dot_number }) => dot_number === dot);
  return { isThere, hasMore: has_more, tag: answer.headers.get("etag") ?? "" };
}

async function cursorBehindFirst(get: (path: string) => Promise<Response>): Promise<string> {
  const answer = (await (
    await get(`events?limit=1&since=${SINCE}`)
  ).json()) as components["schemas"]["EventsOut"];
  return answer.meta.resume_cursor;
}
