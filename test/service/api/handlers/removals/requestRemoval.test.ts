// POST /v1/opt-out over HTTP: removals by each identifier, equal answers, limits, confirmations, the log.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settableClock } from "../../../../support/clock.ts";
import { memoryLog } from "../../../../support/memory-log.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import {
  newAddress,
  type OptOutIn,
  optOut,
  postOptOut,
  removalList,
} from "../../../../support/removals/opt-outs.ts";
import { changeRows, emptyTables, removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const { log, lines, text: logText } = memoryLog();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ log, env: { TRUST_PROXY_HOPS: "1" } });
});
afterAll(() => service.stop());

// Each test has its own businesses, dockets and contacts.
let usdot = 2_000_000;
let phone: string;
let email: string;
beforeEach(() => {
  usdot += 1_000;
  phone = `512555${String(usdot / 1_000).padStart(4, "0")}`;
  email = `dispatch${usdot}@example.com`;
});

type Row = Parameters<typeof putRegistryRow>[2];
const put = (...rows: [table: string, row: Row][]) =>
  service.context.db.transaction(async (client) => {
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
  });
const authority = (row: Row): [string, Row] => [
  "authority",
  {
    authority_class: "broker",
    op_auth_type: "BROKER",
    status: "active",
    status_source: "motus",
    first_seen_on: "2026-01-01",
    in_motus: true,
    revocation_pending: false,
    docket: `MC${row.usdot}`,
    ...row,
  },
];

const ask = (body: OptOutIn, address?: string) => optOut(service.url, body, address);
const list = () => removalList(service.context);

/** The hidden businesses of this test, as offsets from its first number. */
const hidden = async (): Promise<number[]> =>
  (await list()).businesses.map((number) => number - usdot).filter((number) => number >= 0 && number < 1_000);

const waiting = async (requestId: number): Promise<string[]> => {
  const { rows } = await service.context.db.pool.query<{ kind: string }>(
    "SELECT kind FROM removal_identifier WHERE request_id = $1 AND state = 'waiting' ORDER BY kind",
    [requestId],
  );
  return rows.map(({ kind }) => kind);
};

it("remarks have at most 2,000 characters, each counted once in any encoding", async () => {
  await ask({ usdot: `${usdot}`, details: "🚚".repeat(2_000) });
  expect(await hidden()).toEqual([0]);
  const answer = await postOptOut(service.url, { usdot: `${usdot}`, details: "🚚".repeat(2_001) });
  expect(answer.status).toBe(422);
});

describe("the effect of a request", () => {
  it("by USDOT number: that business, also one that the registry does not have yet", async () => {
    await put(["census", { usdot }], ["census", { usdot: usdot + 1 }]);
    await ask({ usdot: `USDOT ${usdot}` });
    await ask({ usdot: `${usdot + 7}` });
    expect(await hidden()).toEqual([0, 7]);
  });

  it("by docket: every holder of it in any file that feeds and events use", async () => {
    const docket = `MC${usdot}`;
    await put(
      authority({ docket, usdot: usdot + 1 }),
      ["motus_carrier", { docket, usdot: usdot + 2 }],
      ["motus_authhist", { docket, usdot: usdot + 3, changed_on: "2026-11-01" }],
      ["motus_authhist", { docket, usdot: null, changed_on: "2026-11-02" }],
      ["motus_revokesuspend", { docket, usdot: usdot + 4 }],
      ["legacy_carrier", { docket, usdot: usdot + 5 }],
      authority({ docket: `FF${usdot}`, usdot: usdot + 6 }),
    );
    await ask({ mc: `mc-0${usdot}` });
    expect(await hidden()).toEqual([1, 2, 3, 4, 5]);
  });

  it("by phone: every business that files it as phone, as cell phone, or only with an authority", async () => {
    await put(
      ["census", { usdot, phone }],
      ["census", { usdot: usdot + 1, cell_phone: phone }],
      authority({ usdot: usdot + 2, registry_phone: phone }),
      ["census", { usdot: usdot + 3, phone: "2025550100" }],
    );
    await ask({ phone: `+1 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)} ext. 4` });
    expect(await hidden()).toEqual([0, 1, 2]);
  });

  it("by e-mail: every business that files it, in any case", async () => {
    await put(["census", { usdot, email }], ["census", { usdot: usdot + 1, email: `x${email}` }]);
    await ask({ email: `MAILTO:${email.toUpperCase()}` });
    expect(await hidden()).toEqual([0]);
  });

  it("by several at once: all of them", async () => {
    await put(["census", { usdot: usdot + 1, phone }], ["census", { usdot: usdot + 2, email }]);
    await ask({ usdot: String(usdot), phone, email, mc: " " });
    expect(await hidden()).toEqual([0, 1, 2]);
  });

  it("a repeated request changes nothing but the log", async () => {
    await put(["census", { usdot, phone }]);
    const first = await ask({ phone });
    const before = await list();
    const second = await ask({ phone });
    expect(second).not.toBe(first);
    expect(await list()).toEqual(before);
  });

  it("the list's number grows once with each request that changes it", async () => {
    await put(["census", { usdot, phone }], ["census", { usdot: usdot + 1, phone }]);
    const { number = 0 } = await list();
    await ask({ phone: "5125559999", mc: `MC${usdot}` });
    expect((await list()).number).toBe(number);
    await ask({ phone });
    expect((await list()).number).toBe(number + 1);
  });
});

describe("a contact that is shared", () => {
  const companies = (count: number, row: Row): [string, Row][] =>
    Array.from({ length: count }, (_, index) => ["census", { usdot: usdot + index, ...row }]);

  it("on at most five active businesses removes all of them, and the inactive ones that file it too", async () => {
    await put(
      ...companies(5, { phone }),
      ["census", { usdot: usdot + 10, phone, status_code: "I" }],
      ["census", { usdot: usdot + 11, phone, status_code: "I" }],
    );
    const id = await ask({ phone });
    expect([await hidden(), await waiting(id)]).toEqual([[0, 1, 2, 3, 4, 10, 11], []]);
  });

  it("on more is blanked at once, and an operator decides about the businesses", async () => {
    await put(...companies(6, { email }));
    const { number = 0 } = await list();
    const id = await ask({ email });
    expect([await hidden(), await waiting(id)]).toEqual([[], ["email"]]);
    const { contacts, number: after } = await list();
    expect([contacts.includes(email), after]).toEqual([true, number + 1]);
    expect(lines().at(-2)).toMatchObject({ level: "warn", requestId: id });
    await ask({ email });
    expect((await list()).number).toBe(after);
  });

  it("counts active authorities of companies that are not in the census", async () => {
    for (let index = 0; index < 6; index++) {
      const row = { usdot: usdot + index, registry_phone: phone };
      await put(authority(row), ["census", { usdot: usdot + index, status_code: "I" }]);
    }
    expect(await waiting(await ask({ phone }))).toEqual(["phone"]);
  });

  it("on 25 businesses of which none is active takes effect at once, and on more waits", async () => {
    await put(...companies(26, { phone, status_code: "I" }));
    expect(await waiting(await ask({ phone }))).toEqual(["phone"]);
    expect(await hidden()).toEqual([]);
    for (let index = 0; index < 25; index++)
      await put(["census", { usdot: usdot + 100 + index, email, status_code: "I" }]);
    expect(await waiting(await ask({ email }))).toEqual([]);
    expect(await hidden()).toHaveLength(25);
  });

  it("is an agent's when the list of agents or of shared contacts has it", async () => {
    await put(
      ["census", { usdot, phone, email: `any${usdot}@filing.example` }],
      ["agent_contact", { kind: "email_domain", value: "filing.example", shipped: false }],
      ["shared_contact", { value: phone, usdot_count: 9 }],
    );
    const id = await ask({ phone, email: `any${usdot}@filing.example` });
    expect([await hidden(), await waiting(id)]).toEqual([[], ["email", "phone"]]);
  });

  it("takes effect at once on 5 active businesses, although a lower SHARED_CONTACT_LIMIT blanks it in the feeds", async () => {
    await put(["census", { usdot, phone }], ["shared_contact", { value: phone, usdot_count: 5 }]);
    expect(await waiting(await ask({ phone }))).toEqual([]);
    expect(await hidden()).toHaveLength(1);
  });

  it("does not delay the other identifiers of the request", async () => {
    await put(...companies(6, { phone }));
    const id = await ask({ phone, usdot: String(usdot + 50) });
    expect([await hidden(), await waiting(id)]).toEqual([[50], ["phone"]]);
  });
});

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
      "SELECT FROM mail_outbox WHERE replace(lower(recipient), '..', '') LIKE 'victimone%'",
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
        { loc: ["body", "requester_email"] },
      ]);
    }
    expect(await hidden()).toEqual([]);
  });
});

describe("the stored data", () => {
  it("has the requests with their times, personal data only as digests, and cannot be changed", async () => {
    const address = newAddress();
    const id = await ask({ phone, requester_email: "keeper@example.com", details: "A secret" }, address);
    const { pool } = service.context.db;
    const { rows } = await pool.query("SELECT * FROM removal_request WHERE id = $1", [id]);
    expect(rows).toMatchObject([{ requested_at: service.clock.now() }]);
    expect(Object.keys(rows[0].identifier_digests)).toEqual(["phone"]);
    const kept = JSON.stringify(rows, (_, value) =>
      value?.type === "Buffer" ? Buffer.from(value).toString("latin1") : value,
    );
    for (const text of [phone, "keeper", "secret", address]) expect(kept).not.toContain(text);
    for (const [table, change] of [
      ["removal_request", { requested_at: new Date() }],
      ["removal_decision", { reason: "" }],
    ] as const) {
      await expect(changeRows(pool, table, change), table).rejects.toThrow(/only added/);
      await expect(removeRows(pool, table), table).rejects.toThrow(/only added/);
      await expect(emptyTables(pool, table), table).rejects.toThrow(/only added/);
    }
  });

  it("is not in the log of the process, even with line breaks", async () => {
    const before = logText().length;
    const details = 'line\n{"level":"fatal","msg":"forged"}\u2028\u001b[31m';
    await ask({ phone, email, details, requester_email: `private${usdot}@example.com` });
    await postOptOut(service.url, { phone: `${phone}\n{"level":"fatal"}`, details });
    const logged = logText().slice(before);
    for (const text of ["forged", "fatal", phone, email, "private"]) expect(logged).not.toContain(text);
    expect(logged.trimEnd().split("\n")).toHaveLength(2);
  });
});
