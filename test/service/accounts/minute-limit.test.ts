import { describe, expect, it } from "vitest";
import { type Admission, admit } from "../../../src/accounts/keys/admission.ts";
import { hashKey, newKey } from "../../../src/accounts/keys/key-format.ts";
import { openAccount } from "../../support/accounts.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { inProcesses } from "../../support/processes/accounts-processes.ts";
import { clock, context, database, MINUTE_ENDS, NOW, outcomes, times, useKeys } from "./admitted.ts";

useKeys();

describe("the limit of a key's minute", () => {
  it("admits exactly the limit of 600 requests at once, over the connections of three pools", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 60 });
    const others = [await openTestContext(database.url, clock), await openTestContext(database.url, clock)];
    const processes = [context, ...others];
    const admissions = (
      await Promise.all(processes.map((process) => times(200, () => admit(process, key))))
    ).flat();
    expect(outcomes(admissions)).toEqual({ admitted: 60, rate_limited: 540 });
    const remaining = admissions.flatMap((each) =>
      each.outcome === "admitted" ? [each.rate.remaining] : [],
    );
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    const refused = admissions.filter(({ outcome }) => outcome === "rate_limited");
    for (const each of refused) {
      expect(each).toMatchObject({ rate: { limit: 60, remaining: 0, resetAtSeconds: MINUTE_ENDS } });
    }
    await Promise.all(others.map((other) => other.db.close()));
  });

  it("admits exactly the limit of 600 requests at once, over three processes", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 60 });
    const task = { kind: "admit" as const, key, times: 200 };
    const answers = (await inProcesses<string>(database.url, NOW, [task, task, task])).flat();
    expect(answers.filter((outcome) => outcome === "admitted")).toHaveLength(60);
    expect(answers.filter((outcome) => outcome === "rate_limited")).toHaveLength(540);
  });

  it("counts each key separately, also when many keys arrive in opposite orders from two sides", async () => {
    const account = await openAccount(context, { requestsPerMinute: 15 });
    const keys = Array.from({ length: 500 }, newKey);
    await context.db.prisma.apiKey.createMany({
      data: keys.map(({ id, key }) => ({
        id,
        accountId: account.accountId,
        name: "one of many",
        createdAt: clock.now(),
        secretHash: new Uint8Array(hashKey(key)),
      })),
    });
    const elsewhere = await openTestContext(database.url, clock);
    const admissions: Admission[] = [];
    // Statements that locked their rows in the order of arrival would deadlock here.
    for (let round = 0; round < 10; round++) {
      const ours = keys.map(({ key }) => admit(context, key));
      const theirs = keys.toReversed().map(({ key }) => admit(elsewhere, key));
      admissions.push(...(await Promise.all([...ours, ...theirs])));
    }
    expect(outcomes(admissions)).toEqual({ admitted: 7500, rate_limited: 2500 });
    await elsewhere.db.close();
  });

  it("admits the requests that arrived first", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const admissions = await times(5, () => admit(context, key));
    expect(admissions.map(({ outcome }) => outcome)).toEqual([
      "admitted",
      "admitted",
      "admitted",
      "rate_limited",
      "rate_limited",
    ]);
  });

  it("starts again with the next minute, not before", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 2 });
    expect(outcomes(await times(3, () => admit(context, key)))).toEqual({ admitted: 2, rate_limited: 1 });
    clock.set("2026-11-21T10:30:59.999Z");
    expect(await admit(context, key)).toMatchObject({
      outcome: "rate_limited",
      rate: { resetAtSeconds: MINUTE_ENDS },
    });
    clock.set("2026-11-21T10:31:00Z");
    const rate = { limit: 2, remaining: 1, resetAtSeconds: MINUTE_ENDS + 60 };
    expect(await admit(context, key)).toMatchObject({ outcome: "admitted", rate });
    clock.set(NOW);
  });

  it("is not raised by a process whose clock is behind: it counts in the minute that others have begun", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const behind = await openTestContext(database.url, settableClock("2026-11-21T10:29:59Z"));
    expect(await admit(behind, key)).toMatchObject({
      rate: { remaining: 2, resetAtSeconds: MINUTE_ENDS - 60 },
    });
    expect(await admit(context, key)).toMatchObject({ rate: { remaining: 2, resetAtSeconds: MINUTE_ENDS } });
    expect(await admit(behind, key)).toMatchObject({ rate: { remaining: 1, resetAtSeconds: MINUTE_ENDS } });
    expect(await admit(context, key)).toMatchObject({ outcome: "admitted", rate: { remaining: 0 } });
    expect(await admit(behind, key)).toMatchObject({ outcome: "rate_limited" });
    await behind.db.close();
  });

  it("ignores a minute far in the future, which only a wrong clock can have written", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const ahead = await openTestContext(database.url, settableClock("2026-11-21T11:30:15Z"));
    expect(await admit(ahead, key)).toMatchObject({ rate: { resetAtSeconds: MINUTE_ENDS + 3_600 } });
    for (const remaining of [2, 1, 0]) {
      expect(await admit(context, key)).toMatchObject({
        outcome: "admitted",
        rate: { remaining, resetAtSeconds: MINUTE_ENDS },
      });
    }
    expect(await admit(context, key)).toMatchObject({ outcome: "rate_limited" });
    await ahead.db.close();
  });

  it("shares one statement among the requests of a tick", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 600 });
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    context.db.pool.on("acquire", count);
    // Each in a callback of its own, as requests come from their sockets.
    const fromItsSocket = () =>
      new Promise((resolve) => {
        setImmediate(() => resolve(admit(context, key)));
      });
    await times(300, fromItsSocket);
    context.db.pool.off("acquire", count);
    expect(statements).toBe(1);
  });
});
