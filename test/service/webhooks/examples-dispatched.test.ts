import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { deliveredEventId } from "../../../src/webhooks/deliveries/delivery-body.ts";
import { type DeliveryShown, listDeliveries } from "../../../src/webhooks/deliveries/delivery-history.ts";
import { queueTestDelivery } from "../../../src/webhooks/deliveries/test-delivery.ts";
import { type Dispatcher, startDispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../src/webhooks/egress/sender.ts";
import { rotateSecret } from "../../../src/webhooks/endpoints/rotate.ts";
import { replay } from "../../../src/webhooks/replay/replay.ts";
import { REPLAY_KINDS } from "../../../src/webhooks/replay/replay-range.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEvents } from "../../support/events/events.ts";
import { freePort } from "../../support/network/free-port.ts";
import { changeRows } from "../../support/rows.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { TEST_CA } from "../../support/webhooks/receiver.ts";
import { CIDRS, folder, languages, PATIENCE, start, tls, useExamples } from "./running-examples.ts";

useExamples();

describe("with the real dispatcher, over https", () => {
  let database: TestDatabase;
  let context: Context;
  let dispatcher: Dispatcher;
  let accountId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, systemClock);
    context.config = configFrom({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_CIDRS: CIDRS });
    ({ accountId } = await openAccount(context, { feeds: { us_new_authority_weekly: null } }));
    dispatcher = startDispatcher(context, {
      pollMs: 20,
      sender: createSender({ allowedCidrs: [CIDRS], ca: TEST_CA }),
    });
  });
  afterAll(async () => {
    await dispatcher.stop();
    await context.db.close();
    await database.drop();
  });

  it.each(languages)(
    "the example in %s handles each event once, after a crash, a replay and a new secret",
    async (language) => {
      const port = await freePort();
      const { id: endpointId, secret } = await registerEndpoint(context, accountId, {
        url: `https://127.0.0.1:${port}/hooks`,
      });
      const settings = {
        PORT: String(port),
        TLS_CERT: tls("receiver.pem"),
        TLS_KEY: tls("receiver.key"),
        INBOX: path.join(folder, `dispatched-${language}`),
      };
      const history = async () => (await listDeliveries(context, { endpointId, limit: 100 })) ?? [];
      const untilAll = (isSo: (delivery: DeliveryShown) => boolean, count: number) =>
        vi.waitFor(async () => {
          const deliveries = await history();
          expect([deliveries.length, deliveries.filter((each) => !isSo(each))]).toEqual([count, []]);
        }, PATIENCE);
      const isDelivered = ({ status }: DeliveryShown) => status === "delivered";
      // Another day for each language, as a replay also sends events from before the endpoint.
      const day = `2026-11-${17 + languages.indexOf(language)}`;
      const event = { detectedAt: `${day}T11:00:00Z` };
      const range = { endpointId, from: new Date(`${day}T00:00Z`), to: new Date(`${day}T12:00Z`) };

      const first = await start(language, { ...settings, WEBHOOK_SECRET: secret });
      const ids = (await putEvents(context.db, [event, event, event])).map(deliveredEventId);
      await untilAll(isDelivered, 3);
      await queueTestDelivery(context, accountId, endpointId);
      await untilAll(isDelivered, 4);
      // The test is accepted, and it is no event.
      const handled = () => first.handled.map(({ id }) => id).toSorted();
      await vi.waitFor(() => expect(handled()).toEqual(ids.toSorted()), PATIENCE);
      await first.end("SIGKILL");

      // Everything again, to a receiver that has only its inbox.
      const second = await start(language, { ...settings, WEBHOOK_SECRET: secret });
      expect(await replay(context, { ...range, kinds: REPLAY_KINDS })).toEqual({ queued: 3 });
      await untilAll(
        ({ is_test, attempts, status }) => status === "delivered" && attempts.length === (is_test ? 1 : 2),
        4,
      );

      // It does not have the new secret: refused deliveries come again.
      const { secret: rotated } = await rotateSecret(context, accountId, endpointId);
      const [late = 0] = await putEvents(context.db, [event]);
      const isLate = ({ event_id }: DeliveryShown) => event_id === deliveredEventId(late);
      await untilAll((each) => !isLate(each) || each.attempts.length === 1, 5);
      expect((await history()).find(isLate)?.attempts).toMatchObject([
        { http_status: 401, reason: "answer_not_2xx" },
      ]);
      expect(await second.end()).toBe(0);
      expect(second.handled).toEqual([]);
      const third = await start(language, { ...settings, WEBHOOK_SECRET: rotated });
      expect(await replay(context, range)).toEqual({ queued: 1 });
      await untilAll(isDelivered, 5);
      await third.end();
      expect(third.handled.map(({ id }) => id)).toEqual([deliveredEventId(late)]);
      await changeRows(context.db.pool, "webhook_endpoint", { active: false }, { id: endpointId });
    },
  );
});
