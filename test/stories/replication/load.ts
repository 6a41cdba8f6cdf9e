// 200 requests a second over several services, each answer judged by the truth.
import type { Random } from "@trucking-data-feed/registry-generator/random";
import { formOf, type Period, type Truth, type Version } from "./truth.ts";

type Kind = "page" | "filtered page" | "lookup" | "events" | "usage" | "export";

export interface Answer extends Period {
  kind: Kind;
  /** Null: the connection broke. */
  status: number | null;
  /** Rows that it delivered of those that the quota counts, except rows of exports. */
  rows: number;
}

export interface Load {
  answers: Answer[];
  /** What was wrong, with how often. */
  faults: Map<string, number>;
  /** Ids of the events that a follower of each service saw, in its order. */
  followed: readonly number[][];
  /** Sends no more, waits for the answers, and judges those that had to wait for the truth. */
  stop(): Promise<void>;
  /** Follows the events to their end, at every service. */
  catchUp(): Promise<void>;
}

export interface LoadOptions {
  urls: readonly string[];
  key: string;
  truth: Truth;
  random: Random;
  perSecond: number;
  /** Where the followers of events begin. */
  since: Date;
}

/** Requests that may wait at the same time; a machine that can't follow gets fewer requests a second. */
const MOST_OPEN = 120;

const PAGE_SIZES = [10, 15, 20, 25];

export function startLoad({ urls, key, truth, random, perSecond, since }: LoadOptions): Load {
  const answers: Answer[] = [];
  const faults = new Map<string, number>();
  const open = new Set<Promise<void>>();
  /** Judgements of answers whose version was not known yet. */
  const later: (() => void)[] = [];
  const followed = urls.map((): number[] => []);
  const cursors = urls.map((): string | null => null);
  const isFollowing = urls.map(() => false);
  const { pick, between, chance } = random;
  const note = (fault: string | null, kind: Kind) => {
    if (fault === null) return;
    const name = `${kind}: ${fault}`;
    faults.set(name, (faults.get(name) ?? 0) + 1);
  };

  const ask = async (
    kind: Kind,
    service: number,
    path: string,
    judge: (answer: Response, text: string, at: Period) => number,
  ): Promise<void> => {
    const answer: Answer = { kind, startedMs: performance.now(), finishedMs: 0, status: null, rows: 0 };
    try {
      const got = await fetch(`${urls[service]}${path}`, {
        headers: { "X-API-Key": key },
        signal: AbortSignal.timeout(30_000),
      });
      const text = await got.text();
      answer.status = got.status;
      answer.finishedMs = performance.now();
      if (got.status === 200 || got.status === 404) answer.rows = judge(got, text, answer);
      else if (got.status !== 503) note(`${got.status} ${text}`, kind);
      else if (!got.headers.has("retry-after")) note("503 without Retry-After", kind);
    } catch (error) {
      answer.finishedMs = performance.now();
      // An export of a broken database ends with a broken connection, never as a shorter file.
      if (kind !== "export") note(`no answer: ${(error as Error).cause ?? error}`, kind);
    }
    answers.push(answer);
  };

  const page = (service: number, isFiltered: boolean) => {
    const version = pick(truth.newest().filter(({ rows }) => rows.length > 0));
    const size = pick(PAGE_SIZES);
    const { state } = pick(version.rows);
    const filter = isFiltered && state !== null ? { state } : {};
    const pages = isFiltered ? 1 : Math.ceil(version.rows.length / size);
    const query = new URLSearchParams({
      page_size: String(size),
      page: String(between(1, pages)),
      ...filter,
      ...(chance(0.2) && { version: String(version.id) }),
    });
    const kind = isFiltered ? "filtered page" : "page";
    return ask(kind, service, `/v1/feeds/${version.feed}/records?${query}`, (_, text, at) => {
      const { data, has_more, meta } = JSON.parse(text) as PageOut;
      if (data.length < size && has_more) note("a page that is not full but not the last", kind);
      whenKnown(meta.version, (known) => {
        const indexes = data.map((record) => known.indexByJson.get(formOf(record)));
        note(truth.faultOfRows(known, indexes, at, { isWhole: false, ...filter }), kind);
      });
      return data.length;
    });
  };

  const whenKnown = (id: number, judge: (version: Version) => void) => {
    const known = truth.versions.get(id);
    if (known) return judge(known);
    later.push(() => {
      const learnt = truth.versions.get(id);
      if (learnt) judge(learnt);
      else note(`version ${id}, which was never published`, "page");
    });
  };

  const lookup = (service: number) => {
    const { usdot } = pick(pick(truth.newest().filter(({ rows }) => rows.length > 0)).rows);
    return ask("lookup", service, `/v1/carriers/${usdot}`, (got, text, at) => {
      const judge = () => {
        if (got.status === 404) {
          const isEverywhere = [...truth.versions.values()]
            .filter(({ feed }) => truth.newest().some((version) => version.feed === feed))
            .every(({ rows }) => rows.some((row) => row.usdot === usdot));
          if (isEverywhere && !truth.isKnownToBeRemoved(usdot, at))
            note("404 of a listed business", "lookup");
          return;
        }
        const { records } = JSON.parse(text) as CarrierOut;
        for (const { feed, as_of, record } of records)
          note(truth.faultOfRecord(feed, as_of, record, at), "lookup");
      };
      later.push(judge);
      return got.status === 404 ? 0 : (JSON.parse(text) as CarrierOut).records.length;
    });
  };

  /** Reads one page of events. Returns whether there is more. */
  const follow = async (service: number): Promise<boolean> => {
    let hasMore = false;
    const cursor = cursors[service];
    const query = cursor ? { cursor } : { since: since.toISOString() };
    await ask(
      "events",
      service,
      `/v1/events?${new URLSearchParams({ limit: "200", ...query })}`,
      (_, text) => {
        const { data, next_cursor, meta } = JSON.parse(text) as EventsOut;
        followed[service]?.push(...data.map(({ id }) => id));
        cursors[service] = next_cursor ?? meta.resume_cursor;
        hasMore = next_cursor !== null;
        return 0;
      },
    );
    return hasMore;
  };

  const csv = (service: number) => {
    const { feed } = pick(truth.newest());
    return ask("export", service, `/v1/feeds/${feed}/export.csv`, (got, text, at) => {
      const id = Number(/"(\d+)-/.exec(got.headers.get("etag") ?? "")?.[1]);
      const [, ...lines] = text.trimEnd().split("\r\n");
      whenKnown(id, (known) => {
        const indexByLine = new Map(known.rows.map((row, index) => [row.csv, index]));
        const indexes = lines.map((line) => indexByLine.get(line.slice(0, line.lastIndexOf(","))));
        note(truth.faultOfRows(known, indexes, at, { isWhole: true }), "export");
      });
      return 0;
    });
  };

  let sent = 0;
  const sendNext = (): Promise<void> => {
    const number = sent++;
    const service = number % urls.length;
    if (number % 100 === 99) return csv(service);
    const turn = number % 20;
    if (turn < 4) return lookup(service);
    if (turn < 6) return ask("usage", service, "/v1/usage", () => 0);
    if (turn < 9 && !isFollowing[service]) {
      isFollowing[service] = true;
      return follow(service).then(() => {
        isFollowing[service] = false;
      });
    }
    return page(service, turn > 16);
  };

  const begunMs = performance.now();
  let leftOut = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begunMs) / 1_000) * perSecond) - leftOut;
    while (sent < due && open.size < MOST_OPEN) {
      const sending: Promise<void> = sendNext().finally(() => open.delete(sending));
      open.add(sending);
    }
    leftOut += Math.max(0, due - sent);
  }, 5);

  return {
    answers,
    faults,
    followed,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      for (const judge of later) judge();
    },
    catchUp: async () => {
      await Promise.all(
        urls.map(async (_, service) => {
          while (await follow(service)) {
            // That page said that there is another.
          }
        }),
      );
    },
  };
}

interface PageOut {
  data: unknown[];
  has_more: boolean;
  meta: { version: number };
}
interface CarrierOut {
  records: { feed: string; as_of: string | null; record: unknown }[];
}
interface EventsOut {
  data: { id: number }[];
  next_cursor: string | null;
  meta: { resume_cursor: string };
}
