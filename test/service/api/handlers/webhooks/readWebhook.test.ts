import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe("GET /v1/webhooks/{endpoint_id}", () => {
  it("shows what the list shows, and never the secret", async () => {
    const { accountId, key } = await service.createAccount();
    const { id, secret } = await registerEndpoint(service.context, accountId, { description: "Lead import" });
    const answer = await service.get(`/v1/webhooks/${id}`, key);
    const text = await answer.text();
    const { data } = (await (await service.get("/v1/webhooks", key)).json()) as { data: unknown[] };
    expect([answer.status, [JSON.parse(text)]]).toEqual([200, data]);
    expect(text).toContain("Lead import");
    expect(text).not.toContain(secret);
  });

  it("does not find a deleted endpoint", async () => {
    const { accountId, key } = await service.createAccount();
    const { id } = await registerEndpoint(service.context, accountId);
    const gone = await service.send("DELETE", `/v1/webhooks/${id}?permanent=true`, { key });
    expect(gone.status).toBe(204);
    expect((await service.get(`/v1/webhooks/${id}`, key)).status).toBe(404);
  });
});
