import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
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
import { signatureOf, signingKeyOf, standardHeaders } from "../../../src/webhooks/secrets/signing.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEvents } from "../../support/events/events.ts";
import { freePort } from "../../support/network/free-port.ts";
import { changeRows } from "../../support/rows.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import {
  type ExampleLanguage,
  type ExampleReceiver,
  hasPython,
  startExample,
  startFailingExample,
} from "../../support/webhooks/example-receiver.ts";
import { TEST_CA } from "../../support/webhooks/receiver.ts";

const SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCD";
const EVENT = {
  id: "evt_7",
  type: "reinstated",
  created: "2026-11-20T11:20:05Z",
  data: { usdot: "4300000" },
};
/** Long enough for immediate results, also on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 20 };
const CIDRS = "127.0.0.0/8";

const tls = (name: string): string => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

const languages: ExampleLanguage[] = ["typescript", "typescript, by Standard Webhooks"];
if (hasPython()) languages.push("python", "python, by Standard Webhooks");
else it.skip("the example in Python is not tested: this machine has no python3", () => {});

const isStandard = (language: ExampleLanguage): boolean => language.endsWith("by Standard Webhooks");

/** The headers that an example reads, signed by these secrets at a time. */
const signedHeaders = (
  language: ExampleLanguage,
  secrets: string | readonly string[],
  unixSeconds: number,
  body: string,
): Record<string, string> => {
  const keys = [secrets].flat().map(signingKeyOf);
  return isStandard(language)
    ? standardHeaders(keys, { id: "evt_7", unixSeconds, body })
    : { "Service-Signature": signatureOf(keys, unixSeconds, body) };
};

let folder: string;
const running = new Set<ExampleReceiver>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-examples-"));
});
afterAll(async () => {
  await Promise.all([...running].map((receiver) => receiver.end("SIGKILL")));
  await rm(folder, { recursive: true });
});

async function start(
  language: ExampleLanguage,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> {
  const receiver = await startExample(language, settings);
  running.add(receiver);
  return {
    ...receiver,
    end: (signal) => {
      running.delete(receiver);
      return receiver.end(signal);
    },
  };
}

describe.each(languages)("the example in %s", (language) => {
  it("accepts signed and recent deliveries, once, and refuses all others", async () => {
    const inbox = path.join(folder, `direct-${language}`);
    const settings = { WEBHOOK_SECRET: SECRET, INBOX: inbox };
    const first = await start(language, settings);
    const send = (headers: Record<string, string>, body: string, to = first) =>
      fetch(to.url, { method: "POST", body, headers }).then(({ status }) => status);
    const sign = (secrets: string | readonly string[], unixSeconds: number, body: string) =>
      signedHeaders(language, secrets, unixSeconds, body);
    const body = JSON.stringify(EVENT);
    const now = Math.floor(systemClock.now().getTime() / 1000);
    const signed = sign(SECRET, now, body);
    const name = isStandard(language) ? "webhook-signature" : "Service-Signature";
    const signature = signed[name] ?? "";
    const altered = (value: string) => ({ ...signed, [name]: value });
    const reversed = SECRET.slice(0, 6) + [...SECRET.slice(6)].toReversed().join("");

    const refused: [string, Record<string, string>, string][] = [
      ["no signature", {}, body],
      ["an empty signature", altered(""), body],
      ["another form", altered(signature.replace("v1", "v2")), body],
      ["another secret", sign(reversed, now, body), body],
      ["two other secrets", sign([reversed, reversed], now, body), body],
      [
        "another time",
        { ...sign(SECRET, now - 1, body), [name]: signature.replace(`t=${now}`, `t=${now - 1}`) },
        body,
      ],
      ["another body", signed, body.replace("4300000", "4300001")],
      ["the same JSON in other bytes", signed, JSON.stringify(EVENT, null, 1)],
      ["an old time", sign(SECRET, now - 301, body), body],
      ["a time far in the future", sign(SECRET, now + 400, body), body],
    ];
    const digestAt = signature.indexOf("v1") + 3;
    for (let at = digestAt; at < digestAt + 43; at += 8) {
      const flipped = signature[at] === "0" ? "1" : "0";
      refused.push([
        `character ${at}`,
        altered(signature.slice(0, at) + flipped + signature.slice(at + 1)),
        body,
      ]);
    }
    for (const [what, headers, sent] of refused)
      expect([what, await send(headers, sent)]).toEqual([what, 401]);
    expect(await fetch(first.url).then(({ status }) => status)).toBeGreaterThanOrEqual(400);
    expect(await send(signed, " ".repeat(300_000))).toBe(413);

    const repeats = Array.from({ length: 5 }, () => send(signed, body));
    expect(await Promise.all(repeats)).toEqual([204, 204, 204, 204, 204]);
    const fresh = JSON.stringify({ ...EVENT, id: "evt_8" });
    // As in the overlap of a rotation.
    expect(await send(sign([reversed, SECRET], now - 200, fresh), fresh)).toBe(204);
    await vi.waitFor(() => expect(first.handled.map(({ id }) => id)).toEqual(["evt_7", "evt_8"]), PATIENCE);
    expect(await first.end()).toBe(0);

    const second = await start(language, settings);
    expect(await send(signed, body, second)).toBe(204);
    const newest = JSON.stringify({ ...EVENT, id: "evt_9" });
    expect(await send(sign(SECRET, now, newest), newest, second)).toBe(204);
    await second.end();
    expect(second.handled).toEqual([{ id: "evt_9", type: "reinstated", usdot: "4300000" }]);
  });

  it("accepts corrections, changes and thin deliveries too", async () => {
    const settings = { WEBHOOK_SECRET: SECRET, INBOX: path.join(folder, `kinds-${language}`) };
    const receiver = await start(language, settings);
    const now = Math.floor(systemClock.now().getTime() / 1000);
    const kinds = [
      { ...EVENT, id: "cor_1", type: "event_correction", data: { correction: "withdrawn", event: {} } },
      { ...EVENT, id: "chg_1", type: "carrier_change", data: { change: {} } },
      { ...EVENT, data: { event_url: "https://api.example.com/v1/events/7" } },
      { ...EVENT, id: "chg_2", type: "carrier_change", data: { changes_url: "https://api.example.com/v1" } },
    ];
    for (const kind of kinds) {
      const body = JSON.stringify(kind);
      const headers = signedHeaders(language, SECRET, now, body);
      const { status } = await fetch(receiver.url, { method: "POST", body, headers });
      expect([kind.id, status]).toEqual([kind.id, 204]);
    }
    await receiver.end();
    expect(receiver.handled.map(({ id }) => id)).toEqual(kinds.map(({ id }) => id));
  });

  it("does not start without a secret", async () => {
    await expect(
      startExample(language, { INBOX: path.join(folder, "none"), WEBHOOK_SECRET: "" }),
    ).rejects.toThrow(/^Set WEBHOOK_SECRET to the endpoint's signing secret/);
  });
});

describe.each((["typescript", "python"] as const).filter((language) => languages.includes(language)))(
  "the example in %s whose work fails",
  (language) => {
    it("does not accept the delivery, so that the work is done when it comes again, once", async () => {
      const inbox = path.join(folder, `failing-${language}`);
      const receiver = await startFailingExample(language, { WEBHOOK_SECRET: SECRET, INBOX: inbox });
      running.add(receiver);
      const body = JSON.stringify(EVENT);
      const send = () => fetch(receiver.url, { method: "POST", body }).then(({ status }) => status);
      expect([await send(), await send(), await send()]).toEqual([500, 204, 204]);
      running.delete(receiver);
      expect(await receiver.end()).toBe(0);
      expect(receiver.handled.map(({ id }) => id)).toEqual([EVENT.id]);
    });
  },
);

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
