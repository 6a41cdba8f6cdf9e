import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../support/any-character.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { ASKED_ENDPOINT as ASKED, registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const openAccount = (feeds: Record<string, null> = { us_new_authority_weekly: null, us_brokers: null }) =>
  service.createAccount({ requestsPerMinute: 1_000, feeds });

const create = (body: object, as = key) => service.send("POST", "/v1/webhooks", { key: as, body });

interface Endpoint {
  id: number;
  url: string;
  description: string | null;
  event_types: string[];
  secret: string;
}

async function created(body: object, as = key): Promise<Endpoint> {
  const answer = await create(body, as);
  const endpoint = await answer.json();
  expect(answer.status, JSON.stringify(endpoint)).toBe(201);
  return endpoint as Endpoint;
}

async function expectProblem(answer: Response, code: string): Promise<string> {
  const problem = (await answer.json()) as { detail: string };
  expect(answer.status).toBe(400);
  expect(problem).toMatchObject({ code, status: 400 });
  return problem.detail;
}

describe("POST /v1/webhooks", () => {
  // Only the test of the limit may reach the limit of 20.
  const withNewAccount = async () => {
    ({ key } = await openAccount());
  };

  it("registers an endpoint, and shows its secret only in this answer", async () => {
    await withNewAccount();
    const endpoint = await created({ ...ASKED, description: "Lead import" });
    expect(endpoint).toEqual({
      id: expect.any(Number),
      url: ASKED.url,
      description: "Lead import",
      event_types: ASKED.event_types,
      active: true,
      failure_streak: 0,
      disabled_reason: null,
      secret_prefix: endpoint.secret.slice(0, 10),
      created_at: "2026-11-21T12:00:00.000Z",
      filters: null,
      payload: "full",
      honor_retry_after: false,
      corrections: false,
      changes: false,
      previous_secret_valid_until: null,
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
    });
    const listed = await (await service.get("/v1/webhooks", key)).text();
    expect(JSON.parse(listed).data).toMatchObject([{ id: endpoint.id, description: "Lead import" }]);
    expect(listed).not.toContain(endpoint.secret);
    expect((await created(ASKED)).secret).not.toBe(endpoint.secret);
  });

  it("keeps an event type that is named twice once, in the order named", async () => {
    await withNewAccount();
    const event_types = ["reinstated", "new_authority_granted", "reinstated", "authority_inactive"];
    const endpoint = await created({ ...ASKED, event_types });
    expect(endpoint.event_types).toEqual(["reinstated", "new_authority_granted", "authority_inactive"]);
  });

  it.each([
    [undefined, null],
    [null, null],
    ["", null],
    ["   ", null],
    ["  Lead import ", "Lead import"],
  ])("keeps the description %j as %j", async (description, kept) => {
    await withNewAccount();
    expect((await created({ ...ASKED, description })).description).toBe(kept);
  });

  it("accepts at most 2,000 characters of address and 120 of description", async () => {
    await withNewAccount();
    const url = `https://hooks.example.com/${"x".repeat(1_974)}`;
    // A truck is one character, two units of UTF-16 and four bytes of UTF-8.
    const description = "🚚".repeat(120);
    expect(await created({ ...ASKED, url, description })).toMatchObject({ url, description });
    const answer = await create({ ...ASKED, url: `${url}x`, description: `${description}🚚` });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      detail: [
        { loc: ["body", "url"], msg: "must have at most 2000 characters", type: "maxLength" },
        { loc: ["body", "description"], msg: "must have at most 120 characters", type: "maxLength" },
      ],
    });
  });

  it.each(["two\nlines", "a\u0000b", "\u0085", "\u2028", "turned \u202e round", "half \ud83d"])(
    "refuses the text %j in description and address",
    async (text) => {
      await withNewAccount();
      const answer = await create({ ...ASKED, url: `https://a.example/${text}`, description: text });
      expect(answer.status).toBe(422);
      const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
      expect(detail.map(({ loc }) => loc)).toEqual([
        ["body", "url"],
        ["body", "description"],
      ]);
    },
  );

  it.each([
    ["http://hooks.example.com", "https://"],
    ["hooks.example.com/in", "https://"],
    ["https://user:password@hooks.example.com", "user name or password"],
    ["https://localhost/in", "localhost"],
    ["https://LOCALHOST:8443", "localhost"],
    ["https://127.0.0.1/in", "not a public address"],
    ["https://2130706433/", "not a public address"],
    ["https://0x7f.1/", "not a public address"],
    ["https://[::1]/", "not a public address"],
    ["https://[::ffff:10.0.0.1]/", "not a public address"],
    ["https://169.254.169.254/latest/meta-data", "not a public address"],
    ["https://192.168.1.1", "not a public address"],
  ])("refuses the address %s with %j", async (url, words) => {
    await withNewAccount();
    expect(await expectProblem(await create({ ...ASKED, url }), "invalid_url")).toContain(words);
  });

  it("answers 201, 400 or 422 to any text, never 500, and stores the text unchanged", async () => {
    await withNewAccount();
    const text = fc.string({ unit: anyCharacter, maxLength: 150 });
    const url = fc.oneof(text, fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }));
    const accepted: object[] = [];
    await fc.assert(
      fc.asyncProperty(fc.record({ url, description: text }), async (texts) => {
        const answer = await create({ ...ASKED, ...texts });
        expect([201, 400, 422]).toContain(answer.status);
        if (answer.status !== 201) return;
        const { id, url, description } = (await answer.json()) as Endpoint;
        expect([url, description]).toEqual([texts.url, texts.description.trim() || null]);
        accepted.push({ id, url, description });
        await service.send("DELETE", `/v1/webhooks/${id}`, { key });
      }),
      { numRuns: 50 },
    );
    const { data } = (await (await service.get("/v1/webhooks", key)).json()) as { data: Endpoint[] };
    expect(data).toMatchObject(accepted);
  });

  it("refuses an event type that the plan lacks, and names those that it has", async () => {
    await withNewAccount();
    const event_types = ["reinstated", "revocation_pending", "insurance_cancellation_suspension"];
    expect(await expectProblem(await create({ ...ASKED, event_types }), "event_type_not_in_plan")).toBe(
      "Your plan does not include revocation_pending, insurance_cancellation_suspension. It includes " +
        "new_authority_granted, reinstated, authority_inactive.",
    );
  });

  it("refuses every event type to a plan without one", async () => {
    const { key: poor } = await openAccount({});
    expect(await expectProblem(await create(ASKED, poor), "event_type_not_in_plan")).toContain(
      "no event type",
    );
  });

  it("registers exactly 20 of 50 that come at once", async () => {
    await withNewAccount();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(ASKED)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(30);
    for (const answer of refused) await expectProblem(answer, "endpoint_limit_reached");
    const { data } = (await (await service.get("/v1/webhooks", key)).json()) as { data: Endpoint[] };
    expect(data).toHaveLength(20);
  });

  it("counts only active endpoints, and only those of the account", async () => {
    const { accountId, key: full } = await openAccount();
    let last = 0;
    for (let count = 0; count < 20; count++) last = (await registerEndpoint(service.context, accountId)).id;
    await expectProblem(await create(ASKED, full), "endpoint_limit_reached");
    await created(ASKED, (await openAccount()).key);
    await service.send("DELETE", `/v1/webhooks/${last}`, { key: full });
    await created(ASKED, full);
    await expectProblem(await create(ASKED, full), "endpoint_limit_reached");
  });

  it("registers and pauses 25 times without reaching the limit", async () => {
    await withNewAccount();
    for (let round = 0; round < 25; round++) {
      const { id } = await created(ASKED);
      expect((await service.send("DELETE", `/v1/webhooks/${id}`, { key })).status).toBe(204);
    }
  });
});
