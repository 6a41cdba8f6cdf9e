import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sendForm, signedInCustomer } from "../../../../support/dashboard.ts";
import { removeRows } from "../../../../support/rows.ts";
import { attemptsOf, deliveriesOf, putDelivery } from "../../../../support/webhooks/deliveries.ts";
import { until, untilIdle } from "../../../../support/webhooks/dispatching.ts";
import {
  accountId,
  browser,
  dispatch,
  key,
  page,
  queueEvent,
  receiver,
  register,
  registered,
  rowOf,
  service,
  useChangedEndpoints,
} from "./changed-endpoints.ts";

await useChangedEndpoints();

describe.skipIf(browser === null)("loading a page again", () => {
  it("registers no second endpoint, and shows neither secret a second time", async () => {
    const id = await register("/once");
    const secret = (await page.locator("#secret").textContent()) ?? "";
    expect(page.url()).not.toContain(secret.slice(10));
    const count = () => service.context.db.prisma.webhookEndpoint.count({ where: { accountId } });
    const before = await count();
    await page.reload();
    expect(await count()).toBe(before);
    expect(await page.content()).not.toContain(secret);
    await page.getByText("The new secret was already shown once.").waitFor();

    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    const fresh = (await page.locator("#secret").textContent()) ?? "";
    const { secretPrefix } = (await rowOf(id)) ?? {};
    expect(fresh.startsWith(secretPrefix ?? "none")).toBe(true);
    expect((await rowOf(id))?.previousSecretUntil).toBeNull();
    await page.reload();
    expect((await rowOf(id))?.secretPrefix).toBe(secretPrefix);
    expect(await page.content()).not.toContain(fresh);
  });

  it("rotates with an overlap, and shows how long the old secret is used", async () => {
    const id = await registered("/overlap");
    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    await page.getByLabel("Sign with the old secret too").selectOption("for an hour");
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByText("Deliveries are also signed with the old secret until").waitFor();
    const until = (await rowOf(id))?.previousSecretUntil;
    expect(until?.getTime()).toBe(service.clock.now().getTime() + 3_600_000);
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByText("Also signed with the old secret until").waitFor();
    expect((await sendForm(page, `/webhooks/${id}/rotate`, { overlap: "7" })).status()).toBe(422);
  });

  it("ends no secret of an overlap that the page did not show", async () => {
    const id = await registered("/stale");
    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    const shown = { overlap: "3600", secret_mark: (await rowOf(id))?.secretPrefix ?? "" };
    expect(await page.locator("input[name=secret_mark]").inputValue()).toBe(shown.secret_mark);
    expect((await sendForm(page, `/webhooks/${id}/rotate`, shown)).status()).toBe(303);
    const { secretPrefix, previousSecretUntil } = (await rowOf(id)) ?? {};
    const refused = await sendForm(page, `/webhooks/${id}/rotate`, shown);
    expect(refused.status()).toBe(409);
    expect(await refused.text()).toContain("The secret was rotated since this page was loaded");
    expect(await rowOf(id)).toMatchObject({ secretPrefix, previousSecretUntil });
    await page.reload();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByRole("heading", { name: "The new secret" }).waitFor();
    expect((await rowOf(id))?.previousSecretUntil).toBeNull();
  });

  it("ends no newer secret, although no other works beside it", async () => {
    const id = await registered("/stale-at-once");
    const form = { overlap: "0", secret_mark: (await rowOf(id))?.secretPrefix ?? "" };
    expect((await sendForm(page, `/webhooks/${id}/rotate`, form)).status()).toBe(303);
    const { secretPrefix } = (await rowOf(id)) ?? {};
    const refused = await sendForm(page, `/webhooks/${id}/rotate`, form);
    expect(refused.status()).toBe(409);
    const text = await refused.text();
    expect(text).toContain("The secret was rotated since this page was loaded");
    expect(text).not.toContain("still works");
    expect((await rowOf(id))?.secretPrefix).toBe(secretPrefix);
  });

  it("gives a secret to the session it was made in and to no other", async () => {
    // Of secrets that other tests made and did not look at.
    await removeRows(service.context.db.pool, "dashboard_note");
    const answer = await sendForm(page, "/webhooks", {
      url: `${receiver.url}/note`,
      event_types: "reinstated",
    });
    const place = answer.headers().location ?? "";
    const other = await signedInCustomer(browser as Browser, service, { email: "other@freight.example" });
    expect(await (await other.page.request.get(place)).text()).not.toContain("whsec_");
    const stored = await service.context.db.pool.query<{ text: string }>(
      "SELECT encode(sealed, 'escape') AS text FROM dashboard_note",
    );
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.text).not.toContain("whsec_");
    // Too late: what was not looked at is forgotten.
    service.clock.advance(5 * 60_000);
    expect(await (await page.request.get(place)).text()).not.toMatch(/whsec_\w{20}/);
  });

  it("sends no range twice", async () => {
    const id = await registered("/range");
    service.clock.advance(60_000);
    await queueEvent("reinstated");
    dispatch();
    await receiver.arrival(1);
    await untilIdle(service.context);
    service.clock.advance(1_000);
    await page.goto(`/dashboard/webhooks/${id}/replay`);
    await page.getByLabel("Events detected from (UTC)").fill("2026-11-21T00:00");
    await page.getByLabel("up to (UTC)").fill("2026-11-22T00:00");
    await page.getByLabel("also send delivered events again").check();
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByRole("button", { name: "Send them" }).click();
    await page.getByText("1 delivery is queued and will be sent now.").waitFor();
    await receiver.arrival(2);
    await untilIdle(service.context);
    service.clock.advance(1_000);
    await page.reload();
    await page.getByRole("button", { name: "Send them" }).waitFor();
    await untilIdle(service.context);
    expect(receiver.received).toHaveLength(2);
  });
});

describe.skipIf(browser === null)("deleting an endpoint", () => {
  it("asks first, cancels what is queued, tests too, and leaves nothing to be found", async () => {
    const id = await registered("/gone");
    await queueEvent("reinstated");
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    const testId = /deliveries\/(\d+)/.exec(page.url())?.[1];
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: `Endpoint ${id}` }).waitFor();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the endpoint" }).click();
    await page.getByRole("heading", { name: "Your endpoints" }).waitFor();
    await page.getByText("The endpoint was deleted.").waitFor();
    expect(await page.content()).not.toContain(`${receiver.url}/gone`);
    expect(await deliveriesOf(service.context, id)).toMatchObject([
      { status: "cancelled", cancel_reason: "deleted" },
      { status: "cancelled", cancel_reason: "deleted" },
    ]);
    expect((await rowOf(id))?.secretSealed).toHaveLength(0);
    dispatch();
    await queueEvent("reinstated");
    await untilIdle(service.context);
    expect(receiver.received.filter(({ path }) => path === "/gone")).toEqual([]);

    const listed = (await (await service.get("/v1/webhooks", key)).json()) as { data: { id: number }[] };
    expect(listed.data.map((each) => each.id)).not.toContain(id);
    for (const [method, path] of [
      ["DELETE", `/v1/webhooks/${id}`],
      ["POST", `/v1/webhooks/${id}/test`],
      ["POST", `/v1/webhooks/${id}/rotate`],
    ] as const) {
      const { status } = await service.send(method, path, { key });
      expect({ path, status }).toEqual({ path, status: 404 });
    }
    const found = ["", "/edit", "/delete", "/rotate", "/replay", `/deliveries/${testId}`];
    for (const path of found) {
      const answer = await page.request.get(`/dashboard/webhooks/${id}${path}`);
      expect({ path, status: answer.status() }).toEqual({ path, status: 404 });
    }
    const form = { from: "2026-11-21T00:00", to: "2026-11-22T00:00" };
    for (const path of [
      "edit",
      "delete",
      "pause",
      "enable",
      "test",
      "replay",
      `deliveries/${testId}/resend`,
    ]) {
      const answer = await sendForm(page, `/webhooks/${id}/${path}`, {
        ...form,
        url: `${receiver.url}/gone`,
        event_types: "reinstated",
      });
      expect({ path, status: answer.status() }).toEqual({ path, status: 404 });
    }
  });

  it("cancels also what was queued at the same moment, and does not try again what is in flight", async () => {
    const id = await registered("/flying");
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => isAnswered);
    await queueEvent("reinstated");
    dispatch();
    await receiver.arrival(1);
    await sendForm(page, `/webhooks/${id}/delete`);
    // As a fan-out that had read the endpoint just before.
    const lateId = await putDelivery(service.context, { endpointId: id });
    const lateTestId = await putDelivery(service.context, { endpointId: id, eventId: 999_998, isTest: true });
    answer(500);
    await until(async () =>
      (await deliveriesOf(service.context, id)).every(({ status }) => status === "cancelled"),
    );
    const ids = (await deliveriesOf(service.context, id)).map((each) => each.id);
    expect(ids).toEqual(expect.arrayContaining([lateId, lateTestId]));
    expect(receiver.received).toHaveLength(1);
  });

  it("erases the rows ten minutes later", async () => {
    const id = await registered("/erased");
    await queueEvent("reinstated");
    dispatch();
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [delivery] = await deliveriesOf(service.context, id);
    await sendForm(page, `/webhooks/${id}/delete`);
    expect(await attemptsOf(service.context, delivery?.id ?? 0)).toHaveLength(1);
    service.clock.advance(10 * 60_000);
    await until(async () => (await rowOf(id)) === null);
    expect(await deliveriesOf(service.context, id)).toEqual([]);
    expect(await attemptsOf(service.context, delivery?.id ?? 0)).toEqual([]);
  });
});
