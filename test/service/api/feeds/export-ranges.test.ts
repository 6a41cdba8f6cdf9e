// Exports in parts: any process continues what another began, with the same bytes, and it is charged once.
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { describe, expect, it } from "vitest";
import { untilExportsEnd } from "../../../support/feeds/exports.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import type { TestService } from "../../../support/service.ts";
import {
  ask,
  bytesOf,
  exportRowsOf,
  FORMATS,
  one,
  other,
  PLAN,
  pathOf,
  publish,
  ROWS,
  type Sent,
  services,
  sha256,
  take,
  useExportServices,
} from "./exported-bytes.ts";

useExportServices();

describe.each(FORMATS)("an export as %s", (format) => {
  it("cut at ten random bytes and continued on another process is the whole file, charged once", async () => {
    const { key } = await one().createAccount(PLAN);
    const whole = await ask(one(), pathOf(format), key);
    const expected = await bytesOf(whole);
    const etag = whole.headers.get("etag") ?? "";
    const { accountId, key: cut } = await one().createAccount(PLAN);
    // The licence is in every row of a CSV.
    const { rows } = await one().context.db.pool.query("SELECT licence_ref FROM account WHERE id = $1", [
      accountId,
    ]);
    const mine =
      format === "csv"
        ? Buffer.from(
            expected
              .toString()
              .replaceAll(whole.headers.get("x-licence-reference") ?? "", rows[0].licence_ref),
          )
        : expected;
    const head = await one().send("HEAD", pathOf(format), {
      key: cut,
      headers: { "Accept-Encoding": "identity" },
    });
    const tag = head.headers.get("etag") ?? "";
    expect(Number(head.headers.get("content-length"))).toBe(mine.length);
    if (format !== "csv") expect(tag).toBe(etag);
    const random = createRandom(19, 0, 0);
    let have = Buffer.alloc(0);
    for (let time = 0; time < 10; time++) {
      const service = services[time % 2] as TestService;
      const range = have.length === 0 ? {} : { Range: `bytes=${have.length}-`, "If-Range": tag };
      const most = 1 + Math.floor((random.next() * (mine.length - have.length)) / 3);
      const part = await take(service, pathOf(format), { "X-API-Key": cut, ...range }, most);
      expect(part.statusCode).toBe(time === 0 ? 200 : 206);
      have = Buffer.concat([have, part.taken]);
    }
    const last = await ask(other(), pathOf(format), cut, { Range: `bytes=${have.length}-`, "If-Match": tag });
    expect([last.status, last.headers.get("content-range")]).toEqual([
      206,
      `bytes ${have.length}-${mine.length - 1}/${mine.length}`,
    ]);
    have = Buffer.concat([have, await bytesOf(last)]);
    expect(sha256(have)).toBe(sha256(mine));
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(cut)).toBe(ROWS);
  });

  it("answers a range by exactly its bytes, and what is no range by the whole file", async () => {
    const { key } = await one().createAccount(PLAN);
    const whole = await bytesOf(await ask(one(), pathOf(format, "?state=TX"), key));
    const size = whole.length;
    const part = async (range: string, sent: Sent = {}) => {
      const answer = await ask(other(), pathOf(format, "?state=TX"), key, { Range: range, ...sent });
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        bytes: await bytesOf(answer),
      };
    };
    for (const [range, first, last] of [
      ["bytes=0-0", 0, 0],
      ["bytes=0-", 0, size - 1],
      ["BYTES=7-7", 7, 7],
      ["bytes=1-1000", 1, 1000],
      [`bytes=${size - 1}-${size + 500}`, size - 1, size - 1],
      ["bytes=-300", size - 300, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      ["bytes=0-99999999999999999999999", 0, size - 1],
      ["bytes=-99999999999999999999999", 0, size - 1],
      ["bytes=20000-290000", 20_000, Math.min(290_000, size - 1)],
    ] as const) {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 206, range: `bytes ${first}-${last}/${size}` });
      expect(answer.bytes.equals(whole.subarray(first, last + 1)), range).toBe(true);
    }
    for (const range of ["bytes=5-2", "bytes=", "bytes=-", "rows=1-2", "bytes=0-1,5-6", "bytes=a-b"]) {
      const answer = await part(range);
      expect([range, answer.status, sha256(answer.bytes)]).toEqual([range, 200, sha256(whole)]);
    }
    for (const range of [`bytes=${size}-`, "bytes=-0", "bytes=99999999999999999999999-"]) {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 416, range: `bytes */${size}` });
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ code: "range_not_satisfiable" });
    }
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(key)).toBe(ROWS / 2);
  });

  it("without a row is answered whole, even when its first bytes are asked for", async () => {
    const { key } = await one().createAccount(PLAN);
    const path = pathOf(format, "?state=NY");
    const whole = await bytesOf(await ask(one(), path, key));
    const answer = await ask(other(), path, key, { Range: "bytes=0-" });
    expect([answer.status, sha256(await bytesOf(answer))]).toEqual([
      format === "ndjson" ? 200 : 206,
      sha256(whole),
    ]);
    await untilExportsEnd(one().context);
  });

  it("with a removal in between is 412, or whole anew, and never a mixture", async () => {
    const { key } = await one().createAccount(PLAN);
    const path = pathOf(format, "?state=CA");
    const before = await ask(one(), path, key);
    const old = await bytesOf(before);
    const tag = before.headers.get("etag") ?? "";
    await removeBusinesses(one().context.db, [2_000]);
    try {
      for (const service of services) {
        const refused = await ask(service, path, key, { Range: "bytes=100-", "If-Match": tag });
        expect([refused.status, await refused.json()]).toMatchObject([412, { code: "export_changed" }]);
        const anew = await ask(service, path, key, { Range: "bytes=100-", "If-Range": tag });
        const bytes = await bytesOf(anew);
        expect([anew.status, anew.headers.get("x-row-count")]).toEqual([200, String(ROWS / 2 - 1)]);
        expect(bytes.equals(old)).toBe(false);
        if (format !== "parquet") expect(bytes.toString()).not.toMatch(/[",]2000[",]/);
        expect(anew.headers.get("etag")).not.toBe(tag);
      }
      const head = await other().send("HEAD", path, { key, headers: { "If-Match": tag } });
      expect(head.status).toBe(412);
    } finally {
      await undoRemovals(one().context.db);
    }
    // Shown again, it is the file from before.
    const again = await bytesOf(await ask(other(), path, key));
    expect(sha256(again)).toBe(sha256(old));
    await untilExportsEnd(one().context);
    expect(await exportRowsOf(key)).toBe(ROWS / 2);
  });
});

describe("what a client asks for", () => {
  // The rule of a downloader is: at 412 begin again. A version that has gone is no mistake of the request.
  it("is 412 when the version of its If-Match has gone, in every format", async () => {
    const { key } = await one().createAccount(PLAN);
    const first = await publish(one());
    await publish(one());
    for (const format of FORMATS) {
      const path = pathOf(format, `?version=${first}`);
      const { headers } = await one().send("HEAD", path, { key });
      const sent = { Range: "bytes=100-", "If-Match": headers.get("etag") ?? "" };
      await changeRows(
        one().context.db.pool,
        "feed_version",
        { replaced_at: "2026-11-20T11:59:00Z" },
        { id: first },
      );
      for (const ifMatch of [sent, { ...sent, "If-Match": "*" }]) {
        const refused = await ask(other(), path, key, ifMatch);
        expect([refused.status, await refused.json()]).toMatchObject([
          412,
          { code: "export_changed", detail: expect.stringContaining(`version ${first} does not exist`) },
        ]);
      }
      expect((await other().send("HEAD", path, { key, headers: sent })).status).toBe(412);
      const asked = await ask(other(), path, key, { Range: "bytes=100-" });
      expect([asked.status, await asked.json()]).toMatchObject([400, { code: "invalid_filter" }]);
      await changeRows(
        one().context.db.pool,
        "feed_version",
        { replaced_at: one().clock.now() },
        { id: first },
      );
    }
  });

  it("is whole when If-Range is weak, a date, or another tag; HEAD has no ranges", async () => {
    const { key } = await one().createAccount(PLAN);
    const head = await one().send("HEAD", pathOf("ndjson"), {
      key,
      headers: { "Accept-Encoding": "identity", Range: "bytes=0-9" },
    });
    expect(head.status).toBe(200);
    const tag = head.headers.get("etag") ?? "";
    for (const ifRange of [`W/${tag}`, "Sat, 21 Nov 2026 12:00:00 GMT", '"another"', "*"]) {
      const answer = await ask(one(), pathOf("ndjson"), key, { Range: "bytes=0-9", "If-Range": ifRange });
      await answer.arrayBuffer();
      expect([ifRange, answer.status]).toEqual([ifRange, 200]);
    }
    const part = await ask(one(), pathOf("ndjson"), key, { Range: "bytes=0-9", "If-Range": tag });
    expect([part.status, (await bytesOf(part)).length]).toEqual([206, 10]);
  });

  it("is not compressed when it is a range, and has no ranges when it is compressed", async () => {
    const { key } = await one().createAccount(PLAN);
    const sent = { "Accept-Encoding": "gzip" };
    const part = await ask(one(), pathOf("csv"), key, { ...sent, Range: "bytes=0-9" });
    expect([part.status, part.headers.get("content-encoding"), part.headers.get("content-length")]).toEqual([
      206,
      null,
      "10",
    ]);
    expect(part.headers.get("etag")).toMatch(/^"/);
    await part.arrayBuffer();
    const whole = await ask(one(), pathOf("csv"), key, sent);
    await whole.arrayBuffer();
    expect([
      whole.headers.get("content-encoding"),
      whole.headers.get("accept-ranges"),
      whole.headers.get("content-length"),
    ]).toEqual(["gzip", "none", null]);
    const parquet = await ask(one(), pathOf("parquet"), key, sent);
    const { length } = await bytesOf(parquet);
    expect([
      parquet.headers.get("content-encoding"),
      parquet.headers.get("accept-ranges"),
      parquet.headers.get("content-length"),
    ]).toEqual([null, "bytes", String(length)]);
  });
});
