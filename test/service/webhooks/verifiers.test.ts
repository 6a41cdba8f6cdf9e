import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import Mux from "@mux/mux-node";
import fc from "fast-check";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isGenuine } from "../../../examples/receiver-typescript/verify.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { startDispatcher } from "../../../src/webhooks/dispatcher.ts";
import { createSender } from "../../../src/webhooks/egress/sender.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEvents } from "../../support/events/events.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { hasPython } from "../../support/webhooks/example-receiver.ts";
import { startReceiver, TEST_CA } from "../../support/webhooks/receiver.ts";

interface Delivery {
  header: string;
  body: Buffer;
}

/** Whether a verifier takes a delivery for genuine now. */
type Verifier = (delivery: Delivery) => Promise<boolean>;

const DELIVERIES = 5;
const ALLOWED = { allowedCidrs: ["127.0.0.0/8"] };

let database: TestDatabase;
let context: Context;
let secret: string;
const deliveries: Delivery[] = [];

// Deliveries as they really arrive, signed with the time of day: one of the verifiers knows no other.
beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
  context.config = configFrom({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" });
  const receiver = await startReceiver();
  const { accountId } = await openAccount(context, { feeds: { us_new_authority_weekly: null } });
  ({ secret } = await registerEndpoint(context, accountId, { url: `${receiver.url}/in` }));
  const dispatcher = startDispatcher(context, {
    pollMs: 20,
    sender: createSender({ ...ALLOWED, ca: TEST_CA }),
  });
  const names = Array.from({ length: DELIVERIES }, (_, place) => `GÜTERVERKEHR "№ ${place}" LLC`);
  await putEvents(
    context.db,
    names.map((legal_name) => ({ data: { legal_name, reason: "Granted" } })),
  );
  await receiver.arrival(DELIVERIES);
  for (const { headers, body } of receiver.received) {
    deliveries.push({ header: String(headers["service-signature"]), body });
  }
  await dispatcher.stop();
  await receiver.close();
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const signedAt = ({ header }: Delivery): number => Number(/^t=(\d+),/.exec(header)?.[1]);

const stripe = new Stripe("sk_test_none");
const byStripe: Verifier = async ({ header, body }) => {
  try {
    stripe.webhooks.constructEvent(body, header, secret);
    return true;
  } catch (error) {
    // Also for a signature with bytes that no hex has; any other error would mean that the signature was taken.
    const isRefusal =
      error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof RangeError;
    if (isRefusal) return false;
    throw error;
  }
};

const mux = new Mux({ tokenId: "none", tokenSecret: "none" });
const byMux: Verifier = async ({ header, body }) => {
  const verifying = mux.webhooks.verifySignature(body.toString("utf8"), { "mux-signature": header }, secret);
  return verifying.then(
    () => true,
    () => false,
  );
};

const byExample: Verifier = async ({ header, body }) => isGenuine(header, body, secret);

/** The snippet of the guide that verifies a delivery, in a language. */
const guide = await readFile(new URL("../../../src/pages/guides/webhooks.md", import.meta.url), "utf8");
const FENCE = "```";
const snippet = (language: string): string =>
  guide.split("\n## Verify a delivery\n")[1]?.split(`${FENCE}${language}\n`)[1]?.split(FENCE)[0] ?? "";

const typescript = `${stripTypeScriptTypes(snippet("ts"))}\nexport { isGenuine };`;
const documented = await import(`data:text/javascript,${encodeURIComponent(typescript)}`);
const byGuide: Verifier = async ({ header, body }) => documented.isGenuine(header, body, secret);

const verifiers: [string, Verifier][] = [
  ["stripe", byStripe],
  ["mux", byMux],
  ["the example in TypeScript", byExample],
  ["the guide's snippet in TypeScript", byGuide],
];

const FLIP = fc.record({
  delivery: fc.nat(DELIVERIES - 1),
  part: fc.constantFrom("time", "body", "signature"),
  place: fc.nat(),
  bit: fc.nat(7),
});

describe.each(verifiers)("by %s", (_name, verifies) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("every delivery is genuine", async () => {
    expect(deliveries).toHaveLength(DELIVERIES);
    for (const delivery of deliveries) expect(await verifies(delivery)).toBe(true);
  });

  it("none is with any bit of time, body or signature turned round", async () => {
    await fc.assert(
      fc.asyncProperty(FLIP, async ({ delivery, part, place, bit }) => {
        const altered = flipped(deliveries[delivery] as Delivery, part, { place, bit });
        expect(await verifies(altered)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("none is more than five minutes after it was signed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const delivery of deliveries) {
      vi.setSystemTime((signedAt(delivery) + 300) * 1000);
      expect(await verifies(delivery)).toBe(true);
      vi.setSystemTime((signedAt(delivery) + 301) * 1000);
      expect(await verifies(delivery)).toBe(false);
    }
  });
});

it.skipIf(!hasPython())("the guide's snippet in Python takes what is genuine and nothing else", () => {
  const altered = fc
    .sample(FLIP, 1_000)
    .map(({ delivery, part, place, bit }) => flipped(deliveries[delivery] as Delivery, part, { place, bit }));
  // Bytes beyond ASCII, which no header has, would only test how they are handed over.
  const asked = [...deliveries, ...altered.filter(({ header }) => /^[\x20-\x7e]*$/.test(header))];
  const lines = asked.map(({ header, body }) =>
    JSON.stringify({ header, body: body.toString("base64"), secret }),
  );
  const script = `${snippet("python")}
import base64, json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(is_genuine(asked["header"], base64.b64decode(asked["body"]), asked["secret"]))
`;
  const answers = execFileSync("python3", ["-c", script], { input: lines.join("\n"), encoding: "utf8" });
  expect(asked.length).toBeGreaterThan(500);
  expect(answers.trim().split("\n")).toEqual(
    asked.map((_, place) => (place < DELIVERIES ? "True" : "False")),
  );
});

it("the example refuses what was signed far in the future, and headers of any other form", () => {
  const [delivery] = deliveries as [Delivery];
  const { header, body } = delivery;
  const now = signedAt(delivery);
  const [time = "", signature = ""] = header.split(",");
  expect(isGenuine(header, body, secret, now - 300)).toBe(true);
  expect(isGenuine(header, body, secret, now - 301)).toBe(false);
  expect(isGenuine(header, body, `${secret}x`, now)).toBe(false);
  const forms = [
    undefined,
    "",
    time,
    signature,
    `${signature},${time}`,
    `${header},${signature}`,
    ` ${header}`,
  ];
  for (const form of [...forms, header.toUpperCase(), header.slice(0, -1), `${header}0`, `${header}\n`]) {
    expect(isGenuine(form, body, secret, now)).toBe(false);
  }
});

function flipped(
  { header, body }: Delivery,
  part: string,
  { place, bit }: { place: number; bit: number },
): Delivery {
  const [time = "", signature = ""] = header.split(",").map((each) => each.slice(each.indexOf("=") + 1));
  const turn = (bytes: Buffer): Buffer => {
    const at = place % bytes.length;
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << bit);
    return copy;
  };
  const text = (value: string) => turn(Buffer.from(value)).toString("latin1");
  if (part === "body") return { header, body: turn(body) };
  if (part === "time") return { header: `t=${text(time)},v1=${signature}`, body };
  return { header: `t=${time},v1=${text(signature)}`, body };
}
