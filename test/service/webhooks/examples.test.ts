import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import { hasPython, startExample, startFailingExample } from "../../support/webhooks/example-receiver.ts";
import {
  EVENT,
  folder,
  isStandard,
  languages,
  PATIENCE,
  running,
  SECRET,
  signedHeaders,
  start,
  useExamples,
} from "./running-examples.ts";

useExamples();

if (!hasPython()) it.skip("the example in Python is not tested: this machine has no python3", () => {});

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
      const send = () => fetch(receiver.url, { method: "POST", body });
      const refused = await send();
      const closes = language === "python";
      expect([refused.status, refused.headers.get("Connection") === "close"]).toEqual([500, closes]);
      expect([(await send()).status, (await send()).status]).toEqual([204, 204]);
      running.delete(receiver);
      expect(await receiver.end()).toBe(0);
      expect(receiver.handled.map(({ id }) => id)).toEqual([EVENT.id]);
    });
  },
);
