// POST /v1/opt-out over HTTP: equal answers, limits of clients, confirmations.
import { describe, expect, it } from "vitest";
import { lockList } from "../../../../../src/suppression/removal-list.ts";
import { settableClock } from "../../../../support/clock.ts";
import { newAddress, type OptOutIn, postOptOut } from "../../../../support/removals/opt-outs.ts";
import { startTestService } from "../../../../support/service.ts";
import {
  ask,
  email,
  hidden,
  phone,
  put,
  type Row,
  service,
  usdot,
  useRemovalRequests,
} from "./removal-requests.ts";

useRemovalRequests();

describe("the answer", () => {
  it("is the same except for the number: found, not found, shared, repeated, or on the list already", async () => {
    await put(
      ["census", { usdot, phone }],
      ...Array.from({ length: 6 }, (_, index): [string, Row] => [
        "census",
        { usdot: usdot + 10 + index, email },
      ]),
    );
    const answerTo = async (body: OptOutIn) => {
      const answer = await postOptOut(service.url, body);
      const text = await answer.text();
      const headers = [...answer.headers.keys()].filter((name) => name !== "date");
      return { status: answer.status, text: text.replace(/\d{14}/, "N"), headers };
    };
    const answers = [];
    for (const body of [
      { phone },
      { phone },
      { phone: "5125550000" },
      { email },
      { email: "nobody@example.com" },
      { usdot: `${usdot}` },
      { usdot: "99999999" },
      { mc: "MC99999999" },
      { mc: `MC${usdot}` },
    ])
      answers.push(await answerTo(body));
    expect(answers[0]).toMatchObject({ status: 202, text: '{"request_id":N,"status":"suppressed"}' });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.headers).not.toContain("x-ratelimit-limit");
  });

  // Each waited for the lock by itself, one after the other: the third was answered after three times as long.
  it("comes at once to all who wait while the list is locked for long", { timeout: 40_000 }, async () => {
    const answers = await service.context.db.bulkTransaction(async (client) => {
      await lockList(client);
      const begunMs = performance.now();
      const asked = [0, 1, 2].map(async (index) => {
        const answer = await postOptOut(service.url, { usdot: `${usdot + index}` });
        const { code } = (await answer.json()) as { code: string };
        return { code, retries: answer.headers.has("retry-after"), ms: performance.now() - begunMs };
      });
      return Promise.all(asked);
    });
    const times = answers.map(({ ms }) => ms);
    expect(Math.max(...times)).toBeLessThan(2 * Math.min(...times));
    const refused = { code: "unavailable", retries: true };
    expect(answers.map(({ ms, ...answer }) => answer)).toEqual([refused, refused, refused]);
    await ask({ usdot: `${usdot + 3}` });
    expect(await hidden()).toEqual([3]);
  });

  it("numbers requests at random", async () => {
    const numbers = [
      await ask({ usdot: `${usdot}` }),
      await ask({ usdot: `${usdot}` }),
      await ask({ usdot: `${usdot}` }),
    ];
    const steps = [(numbers[1] ?? 0) - (numbers[0] ?? 0), (numbers[2] ?? 0) - (numbers[1] ?? 0)];
    expect(steps.every((step) => Math.abs(step) > 1_000)).toBe(true);
  });

  it("names each unreadable field and its right form, and repeats nothing", async () => {
    const answer = await postOptOut(service.url, { usdot: "12O4567", phone: "call me maybe", mc: "MC-1" });
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toMatch(
      /^usdot cannot be read\. .*example 1234567\. phone cannot be read\. .*512-555-0100/,
    );
    expect(detail).not.toMatch(/12O4567|maybe|mc/);
    expect(await hidden()).toEqual([]);
  });
});

describe("the limit of a client", () => {
  it("is ten a minute, whatever the client writes into X-Forwarded-For", async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let sent = 0; sent < 30; sent++) {
      const forged = `${sent}.${sent}.7.9, 2001:db8:${sent}::1, x, ${address}`;
      statuses.push((await postOptOut(service.url, { usdot: `${usdot}` }, forged)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(202), ...Array(20).fill(429)]);
  });

  it("has a Retry-After, and holds until then", async () => {
    const clock = settableClock("2026-11-21T12:00:42Z");
    const other = await startTestService({ clock, env: { OPT_OUT_PER_MINUTE: "1" } });
    const send = () => postOptOut(other.url, { usdot: "1234567" });
    expect((await send()).status).toBe(202);
    const refused = await send();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "18"]);
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    clock.set("2026-11-21T12:01:00Z");
    expect((await send()).status).toBe(202);
    await other.stop();
  });

  it("counts a whole /56 of IPv6 addresses as one", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        postOptOut(
          service.url,
          { usdot: `${usdot}` },
          `2001:db8:77:${(0x100 + index).toString(16)}::${index}`,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    expect((await postOptOut(service.url, { usdot: `${usdot}` }, "2001:db8:77:200::")).status).toBe(202);
  });

  it("is exact over several processes", async () => {
    const databaseUrl = service.context.config.databaseUrl ?? "";
    const second = await startTestService({ databaseUrl, env: { TRUST_PROXY_HOPS: "1" } });
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        postOptOut(index % 2 ? service.url : second.url, { usdot: `${usdot}` }, address),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    await second.stop();
  });

  it("also counts requests that name no business", async () => {
    const address = newAddress();
    for (let sent = 0; sent < 10; sent++) {
      expect((await postOptOut(service.url, { usdot: "x" }, address)).status).toBe(400);
    }
    expect((await postOptOut(service.url, { usdot: "x" }, address)).status).toBe(429);
  });
});

interface Mail {
  recipient: string;
  subject: string;
  body: string;
}

const mailsTo = async (recipient: string): Promise<Mail[]> =>
  (
    await service.context.db.pool.query<Mail>(
      "SELECT recipient, subject, body FROM mail_outbox WHERE lower(recipient) = lower($1) ORDER BY id",
      [recipient],
    )
  ).rows;

describe("the confirmation", () => {
  it("has the request's number, and repeats nothing that was typed", async () => {
    const id = await ask({
      usdot: `${usdot}`,
      phone,
      email,
      mc: `MC-${usdot}`,
      details: "Buy at https://evil.example now",
      requester_email: "owner@example.com",
    });
    const [mail, ...more] = await mailsTo("owner@example.com");
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Your removal request ${id}`);
    expect(mail?.body).toContain(String(id));
    expect(mail?.body).toMatch(/If you did not send this request/);
    for (const typed of [`${usdot}`, phone, email, "evil", "owner@example.com"]) {
      expect(`${mail?.subject}${mail?.body}`).not.toContain(typed);
    }
  });

  it("goes to one mailbox once a day, in any spelling of its address", async () => {
    for (const requester_email of [
      "victim.one@example.com",
      "Victim.One@Example.com",
      " victim.one@example.com ",
      "victimone@example.com",
      "victim.one+1@example.com",
      "v.ictim.one+2@example.com",
    ])
      await ask({ usdot: `${usdot}`, requester_email });
    const sent = await service.context.db.pool.query(
      "SELECT FROM mail_outbox WHERE replace(lower(recipient), '.', '') LIKE 'victimone%'",
    );
    expect(sent.rowCount).toBe(1);
    service.clock.advance(86_400_000);
    await ask({ usdot: `${usdot}`, requester_email: "victim.one@example.com" });
    expect(await mailsTo("victim.one@example.com")).toHaveLength(2);
  });

  it("is not sent for more than five requests of a client an hour; these are still recorded", async () => {
    const address = newAddress();
    for (let sent = 0; sent < 8; sent++) {
      await ask({ usdot: `${usdot + sent}`, requester_email: `c${sent}@five.example` }, address);
    }
    const { rowCount } = await service.context.db.pool.query(
      "SELECT FROM mail_outbox WHERE recipient LIKE '%@five.example'",
    );
    expect([rowCount, (await hidden()).length]).toEqual([5, 8]);
  });

  it("is refused for an invalid address, and nothing is recorded", async () => {
    for (const requester_email of [
      "a@example.com\r\nBcc: b@example.com",
      "a@example.com\n",
      "a@b",
      "a@example.com,b@c.de",
    ]) {
      const answer = await postOptOut(service.url, { usdot: `${usdot}`, requester_email });
      expect([requester_email, answer.status]).toEqual([requester_email, 422]);
      expect(((await answer.json()) as { detail: object[] }).detail).toMatchObject([
        { loc: ["body", "requester_email"], msg: "must be an e-mail address, like owner@example.com" },
      ]);
    }
    expect(await hidden()).toEqual([]);
  });
});
