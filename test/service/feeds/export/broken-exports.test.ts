import { stat, truncate } from "node:fs/promises";
import { createServer, get } from "node:http";
import { finished, pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import type { ExportAnswer } from "../../../../src/feeds/export/export.ts";
import { rowsUsed } from "../../../support/feeds/feeds-fixture.ts";
import {
  ask,
  bodyOf,
  COUNT,
  cachedFile,
  fixture,
  national,
  publish,
  textOf,
  useBrokers,
} from "./broker-exports.ts";

useBrokers();

describe("a broken export", () => {
  /** Takes `taken` chunks, then disconnects; returns the number of rows in them. */
  const leaveAfter = async (answer: ExportAnswer, taken: number): Promise<number> => {
    const body = bodyOf(answer);
    const reader = body[Symbol.asyncIterator]();
    const chunks: Buffer[] = [];
    while (chunks.length < taken) {
      const { done, value } = await reader.next();
      if (done) break;
      chunks.push(value);
    }
    await reader.return?.();
    body.destroy();
    if (!body.closed) await finished(body).catch(() => {});
    const lines = Buffer.concat(chunks).toString().split("\r\n").length - 2;
    return Math.max(0, lines);
  };

  it("refunds exactly the rows that were not delivered", async () => {
    await publish();
    const caller = await national();
    let used = 0;
    // Rows delivered before are paid; nobody pays for the same row twice.
    for (const taken of [0, 1, 2, 1, 3, 0, 5, 100, 2, 100]) {
      used = Math.max(used, await leaveAfter(await ask({}, caller), taken));
      expect(await rowsUsed(fixture.context, caller), `after ${taken} chunks`).toEqual({
        api: 0,
        export: used,
        quota: used,
      });
    }
    expect(used).toBe(COUNT);
  });

  it("refunds to the month of the charge", async () => {
    await publish();
    fixture.clock.set("2026-11-24T23:59:00Z");
    const caller = await national();
    const answer = await ask({}, caller);
    fixture.clock.set("2026-12-01T00:01:00Z");
    bodyOf(answer).destroy();
    await finished(bodyOf(answer)).catch(() => {});
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
    fixture.clock.set("2026-11-30T00:00:00Z");
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
  });

  it("is charged completely when another one of the same content ends complete, in any order", async () => {
    await publish();
    for (const isBrokenLast of [false, true]) {
      const caller = await national(COUNT);
      const [broken, whole] = [await ask({}, caller), await ask({}, caller)];
      const end = [() => leaveAfter(broken, 2), () => textOf(whole)];
      for (const one of isBrokenLast ? end.reverse() : end) {
        await one();
        expect((await rowsUsed(fixture.context, caller)).export).toBe(COUNT);
      }
    }
  });

  it("and another one, both broken, are charged the rows of the longer one", async () => {
    await publish();
    const caller = await national(COUNT);
    const [one, two] = [await ask({}, caller), await ask({}, caller)];
    const taken = [await leaveAfter(one, 2), await leaveAfter(two, 3)];
    expect(taken[1]).toBeGreaterThan(taken[0] ?? 0);
    expect((await rowsUsed(fixture.context, caller)).export).toBe(taken[1]);
  });

  it("over a real connection frees file, slot and quota when the client disconnects", async () => {
    await publish(30_000);
    const caller = await national();
    const answers: ExportAnswer[] = [];
    const server = createServer(async (_request, response) => {
      const answer = await ask({}, caller);
      answers.push(answer);
      await pipeline(bodyOf(answer), response).catch(() => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    for (let time = 0; time < 6; time++) {
      await new Promise<void>((resolve) => {
        const request = get({ port, host: "127.0.0.1" }, (response) => {
          response.once("data", () => {
            request.destroy();
            resolve();
          });
        });
        request.on("error", () => {});
      });
      const body = bodyOf(answers[time] as ExportAnswer);
      if (!body.closed) await finished(body).catch(() => {});
    }
    await textOf(await ask({}, caller));
    expect((await rowsUsed(fixture.context, caller)).export).toBe(30_000);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("ends with an error when its file is not the version, never as a short success", async () => {
    await publish();
    const caller = await national();
    const whole = await textOf(await ask({}, caller));
    const answer = await ask({}, caller);
    const file = await cachedFile();
    await truncate(file, (await stat(file)).size - 20);
    await expect(textOf(answer)).rejects.toThrow(/found 2999/);
    // The next one makes it anew.
    expect(await textOf(await ask({}, caller))).toBe(whole);
    expect((await rowsUsed(fixture.context, caller)).export).toBe(COUNT);
  });
});
