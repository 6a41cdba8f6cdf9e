import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NO_TERMS } from "../../../src/accounts/keys/key-terms.ts";
import { createKey } from "../../../src/accounts/keys/keys.ts";
import { feedRecord, publishFeed } from "../../../test/support/feeds/published-feed.ts";
import { AMPLE } from "../../sdk/test/brokers.ts";
import { startCuttingProxy } from "../../sdk/test/cutting-proxy.ts";
import { folder, printed, ROOT, run, service, useWheel, wheel } from "./python.ts";

useWheel();

describe("sync_feed", () => {
  const FEED = "us_brokers";
  const publish = (days: number, records: Record<string, string | null>[]) => {
    const asOf = `2026-11-${18 + days}`;
    const whole = records.map((record) =>
      feedRecord(FEED, { state: "TX", status_source: "motus", last_verified: asOf, ...record }),
    );
    return publishFeed(service.context.db, FEED, { records: whole, asOf, now: service.clock.now() });
  };

  it("keeps a copy that equals the feed in every column, makes its folder first, and pays for changes alone", async () => {
    const { key } = await service.createAccount(AMPLE);
    const copies = path.join(folder, "not/there/yet");
    const given = { baseUrl: service.url, key, folder: copies };
    const quotaRows = async () => {
      const usage = (await (await service.get("/v1/usage", key)).json()) as { usage: { quota_rows: number } };
      return usage.usage.quota_rows;
    };
    const served = async () => {
      const page = await service.get(
        `/v1/feeds/${FEED}/records?state=TX`,
        (await service.createAccount(AMPLE)).key,
      );
      return ((await page.json()) as { data: { record_id: string }[] }).data;
    };
    const sorted = (records: unknown) =>
      (records as { record_id: string }[]).toSorted((a, b) => (a.record_id < b.record_id ? -1 : 1));

    const [one, two, three] = ["4500001", "4500002", "4500003"].map((dot_number) => ({
      dot_number,
      record_id: `python${dot_number}abc`,
    }));
    await publish(0, [{ ...one }, { ...two }]);
    const first = await printed("sync_brokers.py", given);
    expect(sorted(first.records)).toEqual(sorted(await served()));
    expect(await quotaRows()).toBe(2);

    await publish(1, [{ ...two, company: "RENAMED LLC" }, { ...three }]);
    const second = await printed("sync_brokers.py", given);
    expect(sorted(second.records)).toEqual(sorted(await served()));
    expect(await quotaRows()).toBe(4);
    expect((await printed("sync_brokers.py", given)).version).toBe(second.version);
    expect(await quotaRows()).toBe(4);
  });

  // Pages of records cost their rows again each time that a reading begins anew.
  it("pays once for a first reading that broke off, and reads pages with a key that may take no export", async () => {
    const { key, accountId } = await service.createAccount(AMPLE);
    await publish(2, [{ dot_number: "4500001" }, { dot_number: "4500002" }]);
    const cutting = await startCuttingProxy(service.url, [500, 0, 0, 0]);
    const copies = path.join(folder, "broken");
    const broken = printed("sync_brokers.py", { baseUrl: cutting.url, key, folder: copies });
    await expect(broken).rejects.toThrow("connection_failed");
    await cutting.close();
    const given = { baseUrl: service.url, key, folder: copies };
    expect(await printed("sync_brokers.py", given)).toMatchObject({ rows: 2 });
    const usage = await (await service.get("/v1/usage", key)).json();
    expect(usage).toMatchObject({ usage: { quota_rows: 2 } });

    const scopes = { ...NO_TERMS, scopes: ["feeds:read" as const] };
    const { key: pagesOnly } = await createKey(service.context, accountId, "pages", scopes);
    const byPages = { baseUrl: service.url, key: pagesOnly, folder: path.join(folder, "pages") };
    expect(await printed("sync_brokers.py", byPages)).toMatchObject({ rows: 2 });
  });

  // No run after it could read the file.
  it("goes on after a crash that cut a page in the middle of a character", async () => {
    const { key } = await service.createAccount(AMPLE);
    const copies = path.join(folder, "cut");
    const given = { baseUrl: service.url, key, folder: copies };
    await publish(3, [{ dot_number: "4500001" }]);
    await printed("sync_brokers.py", given);
    const [facts = ""] = (await readFile(path.join(copies, `${FEED}.ndjson`), "utf8")).split("\n");
    const { version, removals, filters } = JSON.parse(facts);
    const head = JSON.stringify({ since: version, removals, filters });
    const page = Buffer.from('{"data":[{"record":{"company":"É');
    await writeFile(path.join(copies, `${FEED}.changes`), [`${head}\n`, page.subarray(0, -1)]);
    await publish(4, [{ dot_number: "4500001", company: "RENAMED LLC" }]);
    expect(await printed("sync_brokers.py", given)).toMatchObject({ records: [{ company: "RENAMED LLC" }] });
  });

  // Every run ended with StopIteration, which a generator around it takes for its end.
  it("begins anew with a file that is empty", async () => {
    const { key } = await service.createAccount(AMPLE);
    await publish(4, [{ dot_number: "4500001" }]);
    await writeFile(path.join(folder, `${FEED}.ndjson`), "");
    expect(await printed("sync_brokers.py", { baseUrl: service.url, key, folder })).toMatchObject({
      rows: 1,
    });
  });

  it("refuses a copy that is damaged by its file and line", async () => {
    const { key } = await service.createAccount(AMPLE);
    await publish(5, [{ dot_number: "4500001" }]);
    const copies = path.join(folder, "damaged");
    await printed("sync_brokers.py", { baseUrl: service.url, key, folder: copies });
    const file = path.join(copies, `${FEED}.ndjson`);
    for (const [line, text] of [
      [2, (await readFile(file, "utf8")).slice(0, -9)],
      [1, '{"a":1}\n'],
    ] as const) {
      await writeFile(file, text);
      await expect(printed("sync_brokers.py", { baseUrl: service.url, key, folder: copies })).rejects.toThrow(
        `Line ${line} of ${file} is not as sync_feed writes it. Move the file away`,
      );
    }
  });

  // A tuple read the whole feed at each run; a set or a date failed after that was paid for.
  it("knows filters again in whatever form they are given, and refuses what is none before it reads", async () => {
    const { key } = await service.createAccount(AMPLE);
    await publish(2, [{ dot_number: "4500001", authority_granted: "2026-11-02" }]);
    const given = { baseUrl: service.url, key, folder: path.join(folder, "filters") };
    const twice = [["export.ndjson"], ["changes"]];
    const refused = (what: string) => [
      `sync_feed takes no ${what}. A copy has all columns of all records that match its filters in the newest version.`,
      0,
    ];
    expect(await printed("sync_filters.py", given)).toEqual({
      tuple: twice,
      order: twice,
      set: twice,
      date: twice,
      none: twice,
      ofEarlierRelease: [["changes"]],
      fields: refused("fields"),
      since: refused("since"),
    });
  });

  // The last of two values was the only filter, and the copy was whole.
  it("the example says in a line what is wrong with its words", async () => {
    const { key } = await service.createAccount(AMPLE);
    const sync = (words: string[], change: NodeJS.ProcessEnv = {}) => {
      const settings = {
        PYTHONPATH: wheel,
        TDF_KEY: key,
        TDF_URL: service.url,
        FOLDER: path.join(folder, "none"),
      };
      const example = path.join(ROOT, "examples/sync-python/sync.py");
      return run("python3", [example, FEED, ...words], { env: { ...process.env, ...settings, ...change } });
    };
    const ends = (ended: Promise<unknown>, stderr: unknown) =>
      expect(ended).rejects.toMatchObject({ code: 1, stderr });
    await ends(sync(["TX"]), "TX is no filter.\nUsage: python3 sync.py FEED [filter=value ...]\n");
    const twice = "state is given twice. Join its values with a comma: state=TX,OK\n";
    await ends(sync(["state=TX", "state=OK"]), twice);
    await ends(sync(["version=3"]), expect.stringMatching(/^sync_feed takes no version\. .*\n$/));
    const noKey = "Set TDF_KEY to your key; the demo's is in .data/demo.key.\n";
    await ends(sync([], { TDF_KEY: undefined }), noKey);
  });
});
