import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pauseByCustomer } from "../../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { openEndpointSecret } from "../../../../../src/webhooks/secrets/secret.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
let key: string;
let accountId: number;
beforeAll(async () => {
  service = await startTestService();
  ({ accountId, key } = await service.createAccount({ requestsPerMinute: 1_000 }));
});
afterAll(() => service.stop());

interface Secret {
  id: number;
  secret: string;
  secret_prefix: string;
}

async function rotate(id: number): Promise<Secret> {
  const answer = await service.send("POST", `/v1/webhooks/${id}/rotate`, { key });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Secret;
}

async function kept(id: number): Promise<{ secret: string; prefix: string }> {
  const row = await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  return { secret: openEndpointSecret(service.context, id, row.secretSealed), prefix: row.secretPrefix };
}

describe("POST /v1/webhooks/{endpoint_id}/rotate", () => {
  it("shows a new secret only in this answer; it replaces the old one", async () => {
    const { id, secret: old } = await registerEndpoint(service.context, accountId);
    const answer = await rotate(id);
    expect(answer).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
      secret_prefix: answer.secret.slice(0, 10),
      previous_secret_valid_until: null,
    });
    expect(answer.secret).not.toBe(old);
    expect(await kept(id)).toEqual({ secret: answer.secret, prefix: answer.secret_prefix });
    const listed = await (await service.get("/v1/webhooks", key)).text();
    expect(listed).toContain(`"${answer.secret_prefix}"`);
    expect(listed).not.toContain(answer.secret);
  });

  it("works for a paused endpoint, which stays paused", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    await pauseByCustomer(service.context, accountId, id);
    const { secret } = await rotate(id);
    expect((await kept(id)).secret).toBe(secret);
    const row = await service.context.db.prisma.webhookEndpoint.findUnique({ where: { id } });
    expect(row?.active).toBe(false);
  });

  it("leaves one complete secret when many requests rotate at once", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(id)));
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(20);
    const { secret, prefix } = await kept(id);
    expect(answers).toContainEqual(expect.objectContaining({ id, secret, secret_prefix: prefix }));
  });

  it("does not change the account's other endpoints", async () => {
    const [one, other] = [
      await registerEndpoint(service.context, accountId),
      await registerEndpoint(service.context, accountId),
    ];
    await rotate(one.id);
    expect((await kept(other.id)).secret).toBe(other.secret);
  });
});
