// POST /v1/opt-out over HTTP: removals by each identifier, shared contacts, what is stored and logged.
import { describe, expect, it } from "vitest";
import { newAddress, postOptOut } from "../../../../support/removals/opt-outs.ts";
import { changeRows, emptyTables, removeRows } from "../../../../support/rows.ts";
import {
  ask,
  authority,
  email,
  hidden,
  lines,
  list,
  logText,
  phone,
  put,
  type Row,
  service,
  usdot,
  useRemovalRequests,
  waiting,
} from "./removal-requests.ts";

useRemovalRequests();

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
