import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { FEEDS } from "../../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF, recordsOf } from "../../../../support/feeds/every-record.ts";
import {
  firstName,
  REFUSED_BY_FEED,
  TOGETHER,
  USUAL_BY_FEED,
} from "../../../../support/feeds/filter-table.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { sendRaw } from "../../../../support/network/raw-http.ts";
import { expectProblem } from "../../../../support/problems.ts";
import { publishRegistry, type RegistryRows } from "../../../../support/registry/derived-registry.ts";
import {
  ask,
  BROKERS,
  csvOf,
  csvText,
  key,
  licence,
  NEW,
  SMALL,
  service,
  unchunked,
  usageOf,
  useCsvExports,
} from "./csv-exports.ts";

useCsvExports();

// readRecords.test.ts tries the whole table; these cases show that the same parser and selection serve an export.
describe("the filters of pages", () => {
  it.each(USUAL_BY_FEED)(
    "%s accepts %s and returns exactly the matching records",
    async (feed, query, { holds }) => {
      expect(await csvOf(feed, query)).toBe(csvText(feed, recordsOf(feed).filter(holds)));
    },
  );

  it.each(TOGETHER)("%s accepts several filters, all of which must match", async (feed, parts) => {
    const expected = recordsOf(feed).filter((record) => parts.every(({ holds }) => holds(record)));
    expect(await csvOf(feed, parts.map(({ query }) => query).join("&"))).toBe(csvText(feed, expected));
  });

  it.each(REFUSED_BY_FEED)("%s refuses %s", async (feed, query) => {
    await expectProblem(await ask(feed, query), 400, "invalid_filter", firstName(query));
  });

  it.each(["page=1", "page_size=10", "colour=red", "State=TX", "format=json"])(
    "every feed refuses %s, which no export has",
    async (query) => {
      for (const { code } of FEEDS) await expectProblem(await ask(code, query), 400, "invalid_filter");
    },
  );

  it.each(["page", "page_size"])(
    "an export has no %s, and the refusal names the parameters that it has",
    async (name) => {
      const filters =
        "state, granted_since, min_days_in_business, max_days_in_business, has_cell, entity_type, exclude_individuals, insurer, insurer_is, out_of_service, cancellation_before";
      const detail = `"${name}" is not allowed on the export of ${BROKERS}. Allowed are ${filters}, since, version.`;
      await expectProblem(await ask(BROKERS, `${name}=1`), 400, "invalid_filter", detail);
    },
  );
});

describe("an export", () => {
  it.each(FEEDS.map(({ code }) => code))(
    "of %s is the whole feed in its order, with the columns of GET /v1/feeds and the licence",
    async (feed) => {
      const answer = await ask(feed);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(answer.headers.get("x-licence-reference")).toBe(licence);
      expect(answer.headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="?${feed}_${AS_OF}\\.csv"?$`),
      );
      const text = await answer.text();
      expect(text).toBe(csvText(feed, recordsOf(feed)));
      const listed = (await (
        await service.get("/v1/feeds", key)
      ).json()) as components["schemas"]["FeedsOut"];
      const columns = listed.data.find(({ code }) => code === feed)?.columns ?? [];
      const [header, ...rows] = parse(text, { record_delimiter: "\r\n" }) as string[][];
      expect(header).toEqual([...columns, "licence_ref"]);
      expect(rows).toHaveLength(recordsOf(feed).length);
      // Every line ends with CRLF, the last one too, and no other character looks like a line end.
      expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    },
  );

  it("has each account's own licence reference, for all its keys", async () => {
    const { accountId, key: one, licenceRef } = await service.createAccount(AMPLE);
    const { key: other } = await service.createKey(accountId);
    expect(licenceRef).toMatch(/^LIC-[A-Z0-9]+$/);
    expect(licenceRef).not.toBe(licence);
    for (const sender of [one, other]) {
      expect(await csvOf(NEW, "", sender)).toBe(csvText(NEW, recordsOf(NEW), licenceRef));
    }
  });

  it("is compressed on request, with the same content", async () => {
    const plain = await ask(NEW);
    const lines = ["GET /v1/feeds/us_new_authority_weekly/export.csv HTTP/1.1", "Host: x"];
    const raw = await sendRaw(
      service.port,
      `${[...lines, `X-API-Key: ${key}`, "Accept-Encoding: gzip", "Connection: close"].join("\r\n")}\r\n\r\n`,
    );
    expect(raw).toMatch(/^content-encoding: gzip\r$/im);
    expect(raw).toMatch(/^transfer-encoding: chunked\r$/im);
    expect(gunzipSync(unchunked(Buffer.from(raw, "latin1"))).toString()).toBe(await plain.text());
    for (const refusing of ["gzip;q=0", "identity", "deflate"]) {
      const answer = await ask(NEW, "", key, { "Accept-Encoding": refusing });
      expect(answer.headers.get("content-encoding")).toBeNull();
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      await answer.body?.cancel();
    }
  });

  it.each([AS_OF, "2026-11-19", "2026-11-09", "1970-01-01", "2026-11-21"])(
    "since %s has the records granted or verified on that day or later, on every feed",
    async (since) => {
      for (const { code } of FEEDS) {
        const expected = recordsOf(code).filter(
          ({ authority_granted: granted, last_verified: verified }) =>
            String(verified) >= since || (granted !== null && String(granted) >= since),
        );
        expect(await csvOf(code, `since=${since}`)).toBe(csvText(code, expected));
      }
    },
  );

  it("is limited to the plan's regions, and to those of them that a filter names", async () => {
    const { key: texan, licenceRef } = await service.createAccount({
      ...AMPLE,
      feeds: { [NEW]: ["GU", "TX"] },
    });
    for (const [query, regions] of [
      ["", ["GU", "TX"]],
      ["state=TX,CA", ["TX"]],
      ["state=CA", []],
    ] as const) {
      const within = recordsOf(NEW).filter(({ state }) => regions.some((region) => region === state));
      expect(await csvOf(NEW, query, texan)).toBe(csvText(NEW, within, licenceRef));
    }
    await expectProblem(await ask(BROKERS, "", texan), 403, "not_entitled");
  });

  it("that is unchanged is 304 and free, also for the tag of the compressed one", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: 210 });
    const first = await ask(NEW, "", sender, { "Accept-Encoding": "gzip" });
    await first.text();
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[^"]+"$/);
    for (const sent of [tag, tag.slice(2), "*"]) {
      const again = await ask(NEW, "", sender, { "If-None-Match": sent });
      expect([sent, again.status, await again.text()]).toEqual([sent, 304, ""]);
    }
    expect(await usageOf(sender)).toMatchObject({ export_rows: 210, quota_rows: 210 });
    // The tag is of this account's file: another account's file has another licence.
    expect((await ask(NEW, "", key, { "If-None-Match": tag })).status).toBe(200);
  });

  it("uses the quota to its last row, and is refused completely if one row is too many", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: 210 });
    await service.get(`/v1/feeds/${NEW}/records?page_size=1`, sender);
    await expectProblem(await ask(NEW, "", sender), 429, "quota_exceeded", "209 of the 210");
    expect(await usageOf(sender)).toMatchObject({ api_rows: 1, export_rows: 0, quota_rows: 1 });
    const { key: enough } = await service.createAccount({ ...AMPLE, rowsPerMonth: 210 });
    await csvOf(NEW, "", enough);
    expect(await usageOf(enough)).toMatchObject({ api_rows: 0, export_rows: 210, quota_rows: 210 });
    // A header line is not a row.
    expect(await csvOf(NEW, "state=WY", enough)).toBe(csvText(NEW, []));
  });
});

// These tests publish again or move the clock, so they come last.
describe("cells", () => {
  /** Names that a spreadsheet would execute, and names that RFC 4180 requires to be quoted. */
  const NAMES = [
    ["=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
    ["+1 TRUCKING", "'+1 TRUCKING"],
    ["-2 HAULERS", "'-2 HAULERS"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =A1", "' =A1"],
    ["＝A1", "'＝A1"],
    ["ACME\r\n=A1", "ACME =A1"],
    ['=CMD("X"), LLC', `'=CMD("X"), LLC`],
    ['THE "A" TEAM, LLC', 'THE "A" TEAM, LLC'],
    ["A-1 EXPRESS", "A-1 EXPRESS"],
    ["ÉTOILE 東京", "ÉTOILE 東京"],
  ];

  it("of a built feed are safe in a spreadsheet, and equal to the registry's value in JSON", async () => {
    const rows = NAMES.flatMap(([legal_name = ""], index): RegistryRows => {
      const usdot = 7_000 + index;
      return [
        ["census", { usdot, legal_name }],
        ["motus_carrier", { usdot, docket: `MC${usdot}`, legal_name }],
      ];
    });
    await service.context.db.transaction((client) =>
      publishRegistry(client, rows, { asOf: AS_OF, now: service.clock.now() }),
    );
    const text = await csvOf(SMALL);
    const lines = parse(text, { columns: true, record_delimiter: "\r\n" }) as Record<string, string>[];
    expect(lines.map(({ company }) => company)).toEqual(NAMES.map(([, safe]) => safe));
    const page = await (await service.get(`/v1/feeds/${SMALL}/records`, key)).json();
    const { data } = page as { data: FeedRecord[] };
    expect(data.map(({ company }) => company)).toEqual(NAMES.map(([name]) => name));
    // Apart from the apostrophe, a cell has the value of the JSON, and is empty for null.
    for (const [index, record] of data.entries()) {
      const { company: _name, ...others } = record;
      const cells = Object.entries(others).map(([name, value]) => [
        name,
        value === null ? "" : String(value),
      ]);
      expect(lines[index]).toMatchObject(Object.fromEntries(cells));
    }
  });
});

describe("a feed version", () => {
  const publish = (company: string, asOf: string): Promise<number> =>
    publishFeed(service.context.db, BROKERS, {
      records: [feedRecord(BROKERS, { company, dot_number: "1", state: "TX" })],
      asOf,
      now: service.clock.now(),
    });

  it("that was replaced is exported by its number for 24 hours, with its own day", async () => {
    const old = await publish("OLD", AS_OF);
    await publish("NEXT", "2026-11-21");
    expect((await ask(BROKERS)).headers.get("content-disposition")).toContain("us_brokers_2026-11-21.csv");
    service.clock.advance(24 * 3_600_000);
    const answer = await ask(BROKERS, `version=${old}`);
    expect(answer.headers.get("content-disposition")).toContain(`us_brokers_${AS_OF}.csv`);
    expect(await answer.text()).toContain("OLD");
    expect(await csvOf(BROKERS, `version=${old}&state=TX`)).toContain("OLD");
    service.clock.advance(1);
    await expectProblem(await ask(BROKERS, `version=${old}`), 400, "invalid_filter", `version ${old}`);
    expect(await csvOf(BROKERS)).toContain("NEXT");
  });
});
