// Clients of an export that read slowly, not at all, or disconnect: their slot is freed, and rows that were not sent
// are refunded. An incomplete file never looks complete.
import { readdir, rm, stat, truncate } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { untilExportsEnd } from "../../../support/feeds/exports.ts";
import { sendRaw } from "../../../support/network/raw-http.ts";
import { until } from "../../../support/webhooks/dispatching.ts";
import {
  another,
  BROKERS,
  exportRowsOf,
  newAccount,
  nothingUsesTheDatabase,
  openExport,
  PATH,
  ROWS,
  read,
  rowsIn,
  service,
  useLargeExport,
} from "./export-reader.ts";

useLargeExport();

describe("a client that does not read", () => {
  it("holds no database connection while its export runs, nor after it has disconnected", async () => {
    const { key } = await newAccount();
    const answers = [await openExport(key), await openExport(key, "?state=TX", "gzip")];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await exportRowsOf(key)).toBe(1.5 * ROWS);
    await nothingUsesTheDatabase();
    for (const answer of answers) answer.destroy();
    await until(async () => (await exportRowsOf(key)) < 0.8 * ROWS);
    await nothingUsesTheDatabase();
  });

  it("is charged only for what it was sent before it disconnected", async () => {
    const { key } = await newAccount(ROWS);
    const answer = await openExport(key);
    let received = "";
    for await (const chunk of answer.setEncoding("utf8")) {
      received += chunk;
      if (received.length > 2_000_000) break;
    }
    await until(async () => (await exportRowsOf(key)) < ROWS);
    // Some rows were in buffers on the way.
    expect(await exportRowsOf(key)).toBeGreaterThanOrEqual(rowsIn(received));
    expect((await service.get(`/v1/feeds/${BROKERS}/records?page_size=1000`, key)).status).toBe(200);
  });

  it.each(["identity", "gzip"])(
    "of %s is cut after a while, and sees that rows are missing",
    async (encoding) => {
      const impatient = await another({ readerSilenceMs: 500 });
      const { key } = await newAccount();
      const answer = await openExport(key, "", encoding, impatient);
      await until(async () => (await exportRowsOf(key)) < ROWS);
      await expect(read(answer)).rejects.toThrow("aborted");
      await nothingUsesTheDatabase();
      await impatient.stop();
    },
  );

  it("gets the whole answer if it reads on later", async () => {
    const { key } = await newAccount();
    for (const encoding of ["identity", "gzip"]) {
      const answer = await openExport(key, "", encoding);
      await nothingUsesTheDatabase();
      expect(rowsIn(await read(answer))).toBe(ROWS);
    }
    expect(await exportRowsOf(key)).toBe(ROWS);
  });
});

describe("a slow reader", () => {
  // The kernel accepts some megabytes at once, and the next ones only when a third of them was read. A slow reader
  // takes long for that, and Node sees no progress meanwhile.
  it("that goes on reading is not cut, however little it takes at a time", async () => {
    const patience = { readerSilenceMs: 2_000 };
    const impatient = await another(patience);
    const { key } = await newAccount();
    const socket = connect({
      port: impatient.port,
      host: "127.0.0.1",
      onread: { buffer: Buffer.alloc(4096), callback: (size, buffer) => take(size, buffer as Buffer) },
    });
    const chunks: string[] = [];
    let takenBytes = 0;
    // 200 KB a second for three times as long as a reader may take nothing, then as fast as it can.
    const slowBytes = 200_000 * 3 * (patience.readerSilenceMs / 1000);
    const take = (size: number, buffer: Buffer): boolean => {
      chunks.push(buffer.toString("latin1", 0, size));
      takenBytes += size;
      if (takenBytes > slowBytes) return true;
      setTimeout(() => socket.resume(), 20);
      return false;
    };
    socket.write(`GET ${PATH} HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`);
    await new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
    const [, body = ""] = chunks.join("").split("\r\n\r\n");
    expect(rowsIn(body)).toBe(ROWS);
    await impatient.stop();
  });
});

describe("the same content", () => {
  it("is free again after a broken download, for every key and in every form", async () => {
    const { accountId, key } = await newAccount(ROWS);
    const { key: other } = await service.createKey(accountId);
    const broken = await openExport(key);
    for await (const _chunk of broken) break;
    await untilExportsEnd(service.context);
    const charged = await exportRowsOf(key);
    expect(charged).toBeLessThan(ROWS);
    expect(rowsIn(await read(await openExport(key)))).toBe(ROWS);
    expect(rowsIn(await read(await openExport(other, "", "gzip")))).toBe(ROWS);
    expect(await exportRowsOf(key)).toBe(ROWS);
    // Another filter is another content, although the rows are the same.
    const refused = await service.get(`${PATH}?state=TX,CA`, key);
    expect(await refused.json()).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringContaining("20,000 rows, and 0 of the 20,000 rows"),
    });
  });
});

describe("exports at a time", () => {
  const PLAN = { feeds: { [BROKERS]: null }, requestsPerMinute: 1_000_000, rowsPerMonth: 1_000_000 };

  it("are limited by the plan for each key over all processes, and one more is refused with its own code", async () => {
    const { accountId, key } = await service.createAccount({ ...PLAN, concurrentExports: 3 });
    const { key: other } = await service.createKey(accountId);
    const usage = await (await service.get("/v1/usage", key)).json();
    expect(usage).toMatchObject({ limits: { concurrent_exports: 3 } });
    const second = await another();
    const running = [
      await openExport(key),
      await openExport(key, "?state=TX", "identity", second),
      await openExport(key, "", "gzip"),
    ];
    for (const { url } of [service, second]) {
      const refused = await fetch(url + PATH, { headers: { "X-API-Key": key } });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
      expect(Number(refused.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({
        code: "too_many_exports",
        detail: expect.stringContaining("3 exports at a time"),
      });
    }
    expect(await exportRowsOf(key)).toBe(1.5 * ROWS);
    const page = await service.get("/problems/too_many_exports");
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("concurrent_exports")]);
    // Pages, exports that are unchanged, HEAD, and the account's other keys still work meanwhile.
    expect((await service.get(`/v1/feeds/${BROKERS}/records?page_size=1`, key)).status).toBe(200);
    expect((await service.get(PATH, key, { "If-None-Match": "*" })).status).toBe(304);
    expect((await service.send("HEAD", PATH, { key })).status).toBe(200);
    running.push(await openExport(other));
    expect(rowsIn(await read(running[0] as IncomingMessage))).toBe(ROWS);
    running.push(await openExport(key));
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    for (const answer of running) answer.destroy();
    await second.stop();
  });

  it("need one slot when they run one after the other", async () => {
    const { key } = await service.createAccount({ ...PLAN, concurrentExports: 1 });
    for (let time = 0; time < 10; time++) {
      const answer = await openExport(key, time % 2 === 0 ? "?state=WY" : "");
      expect([answer.statusCode, rowsIn(await read(answer))]).toEqual([200, time % 2 === 0 ? 0 : ROWS]);
    }
  });

  it("are five if a plan does not say", async () => {
    const { key } = await newAccount();
    const usage = await (await service.get("/v1/usage", key)).json();
    expect(usage).toMatchObject({ limits: { concurrent_exports: 5 } });
  });
});

describe("a prepared file", () => {
  async function preparedFile(): Promise<string> {
    const folder = path.join(service.context.config.dataDir, "cache");
    const names = await readdir(folder, { recursive: true });
    return path.join(folder, names.find((name) => name.endsWith(".csv")) ?? "none");
  }

  it("is made again if it was deleted, and read to its end if it is deleted during an export", async () => {
    const { key } = await newAccount();
    await read(await openExport(key));
    await rm(await preparedFile());
    const answer = await openExport(key);
    await rm(await preparedFile());
    expect(rowsIn(await read(answer))).toBe(ROWS);
    expect(rowsIn(await read(await openExport(key)))).toBe(ROWS);
  });

  it.each([
    ["", "identity"],
    ["", "gzip"],
    ["?state=CA", "identity"],
  ])(
    "cut short during an export of %j, %s, breaks the export visibly, and the next one is whole",
    async (query, encoding) => {
      const { key } = await newAccount();
      const begun = await openExport(key, query, encoding);
      const file = await preparedFile();
      const { size } = await stat(file);
      // At the end of a row: only the number of rows shows it.
      await truncate(file, size - Math.round(size / ROWS));
      await expect(read(begun)).rejects.toThrow("aborted");
      expect(rowsIn(await read(await openExport(key, query, encoding)))).toBe(query ? ROWS / 2 : ROWS);
    },
  );

  // Such a client recognises the end of an answer only by the end of the connection, like some proxies.
  it.each(["identity", "gzip"])(
    "cut short, %s, resets the connection of an HTTP/1.0 client",
    async (encoding) => {
      const { key } = await newAccount();
      const file = await preparedFile();
      const socket = connect(service.port, "127.0.0.1");
      socket.write(`GET ${PATH} HTTP/1.0\r\nX-API-Key: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
      const fate = await new Promise((resolve) => {
        socket
          .on("error", resolve)
          .on("end", () => resolve("a whole file"))
          .once("data", async () => {
            socket.pause();
            await truncate(file, 1_000_000);
            socket.resume();
          });
      });
      expect(fate).toMatchObject({ code: "ECONNRESET" });
      expect(rowsIn(await read(await openExport(key)))).toBe(ROWS);
    },
  );

  it("that is complete is the same for an HTTP/1.0 client", async () => {
    const { key } = await newAccount();
    const answer = await sendRaw(service.port, `GET ${PATH} HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`);
    const [, body = ""] = answer.split("\r\n\r\n");
    expect(body).toBe(await read(await openExport(key)));
  });
});
