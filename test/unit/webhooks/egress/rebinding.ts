import { expect } from "vitest";
import { createSender } from "../../../../src/webhooks/egress/sender.ts";
import { addressRecords, startNameServer } from "../../../support/network/name-server.ts";
import { startOpenListener } from "../../../support/network/open-listener.ts";
import { TEST_CA } from "../../../support/webhooks/receiver.ts";

/** `sendCount` must be a multiple of it. */
const AT_ONCE = 5;

/**
 * Sends to a name whose address alternates between two lookups: an allowed one (127.0.0.1) and a private one
 * (127.0.0.2, where a server listens). No request may reach the private one.
 */
export async function expectNoRebinding(sendCount: number): Promise<void> {
  const listener = await startOpenListener();
  let lookups = 0;
  const names = await startNameServer((name, type) => {
    if (type !== "A") return [];
    lookups += 1;
    return addressRecords(name, type, [lookups % 2 === 1 ? "127.0.0.1" : "127.0.0.2"]);
  });
  const sender = createSender({
    allowedCidrs: ["127.0.0.1/32"],
    ca: TEST_CA,
    nameServers: [names.address],
  });
  const url = `https://rebinding.receiver.test:${listener.port}/hook`;
  try {
    const tally: Record<string, number> = {};
    const sendShare = async () => {
      for (let sent = 0; sent < sendCount / AT_ONCE; sent += 1) {
        const { reason } = await sender.send({ url, headers: {}, body: "{}" });
        tally[reason ?? "accepted"] = (tally[reason ?? "accepted"] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendShare));
    // About half of each; a question may be repeated under load.
    expect(Object.keys(tally).sort()).toEqual(["accepted", "address_not_allowed"]);
    expect(new Set(listener.hits)).toEqual(new Set(["127.0.0.1"]));
    expect(lookups).toBeGreaterThanOrEqual(sendCount);
  } finally {
    await sender.close();
    await names.close();
    await listener.close();
  }
}
