// The public page of each feed: what it lists, its size now, and its columns.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FEEDS } from "../../../../src/feeds/catalogue.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const FEED = "us_new_authority_weekly";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await publishFeed(service.context.db, FEED, {
    records: ["77", "78", "79"].map((dot_number) =>
      feedRecord(FEED, {
        dot_number,
        company: `CARRIER ${dot_number} LLC`,
        state: dot_number === "78" ? "CA" : "TX",
      }),
    ),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
});
afterAll(() => service.stop());

async function read(path: string): Promise<string> {
  service.clock.advance(11_000);
  const answer = await service.get(path);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("a feed's page", () => {
  it.each(FEEDS.map(({ code }) => code))(
    "%s has a page with its columns and a line to read it",
    async (code) => {
      const page = await read(`/feeds/${code}`);
      const feed = FEEDS.find((each) => each.code === code);
      const heads = [
        ...page.matchAll(/<th scope="row" role="rowheader"[^>]*>[^<]+<br><code>(\w+)<\/code>/g),
      ].map(([, name]) => name);
      expect(heads).toEqual(feed?.columns.map(({ name }) => name));
      // What a column means does not begin with the columns of the registry that it is made from.
      expect(page).toMatch(
        /<td role="cell" class="long" data-head="Meaning">Legal name of the business\.<\/td>/,
      );
      expect(page).toContain("Census LEGAL_NAME, else Motus, else legacy.</td>");
      expect(page).toContain(`/v1/feeds/${code}/records?state=TX&amp;page_size=20`);
      expect(page).toContain(`<h1>${feed?.name}</h1>`);
      expect(page).toMatch(/Who reads it<\/h2>\s*<p>.+ ask: <strong>.+\?<\/strong>/);
    },
  );

  it("shows the rows that anybody's page shows, and no company", async () => {
    expect(await read(`/feeds/${FEED}`)).toContain("3 rows · as of <time>2026-11-20</time>");
    await removeBusinesses(service.context.db, [78]);
    const page = await read(`/feeds/${FEED}`);
    expect(page).toContain("2 rows · as of");
    expect(page).not.toContain("CARRIER 7");
    await undoRemovals(service.context.db);
    expect(await read("/feeds/us_brokers")).toContain("not live yet");
  });

  it("has a map of the rows by state and a table of it, which are those of the API", async () => {
    const { key } = await service.createAccount({ feeds: { [FEED]: null } });
    await removeBusinesses(service.context.db, [79]);
    const answer = await service.get(`/v1/feeds/${FEED}/count?by=state`, key);
    const { rows, by } = (await answer.json()) as { rows: number; by: { value: string; rows: number }[] };
    const page = await read(`/feeds/${FEED}`);
    const tiles = [...page.matchAll(/<title>(\w\w): (\d+) rows<\/title>/g)].map(([, state, count]) => [
      state,
      Number(count),
    ]);
    expect(tiles).toHaveLength(56);
    const counts = by.map(({ value, rows: count }) => [value, count]);
    expect(tiles.filter(([, count]) => count !== 0).toSorted()).toEqual(counts.toSorted());
    expect({ rows, counts }).toEqual({
      rows: 2,
      counts: [
        ["CA", 1],
        ["TX", 1],
      ],
    });
    const [, table = ""] = page.split("Rows by state as a table");
    const lines = [
      ...(table
        .split("</table>")[0]
        ?.matchAll(/<th scope="row">(\w+)<\/th><td class="number">(\d+)<\/td>/g) ?? []),
    ];
    expect(lines.map(([, state, count]) => [state, Number(count)])).toEqual(counts);
    expect(page).toContain('<p class="legend"><span class="key none">none</span>');
    await undoRemovals(service.context.db);
    expect(await read("/feeds/us_brokers")).not.toContain("Rows by state");
  });

  it("says that a stale feed is not served", async () => {
    expect(await read(`/feeds/${FEED}`)).not.toContain("too old");
    service.clock.advance(10 * 86_400_000);
    const page = await read(`/feeds/${FEED}`);
    expect(page).toMatch(/stale, not served[\s\S]*too old to be relied on/);
    expect(page).not.toContain("Rows by state");
    service.clock.advance(-10 * 86_400_000);
  });

  it("is found from the front page and from the list of feeds", async () => {
    for (const { code } of FEEDS) {
      expect(await read("/")).toContain(`href="/feeds/${code}"`);
      expect(await read("/feeds")).toContain(`href="/feeds/${code}"`);
    }
  });

  it.each(["no-such-feed", "__proto__", "%3Cscript%3E"])("is 404 for %s", async (code) => {
    const answer = await service.get(`/feeds/${code}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("<script>");
  });
});
