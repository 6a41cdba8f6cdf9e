import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { createSender } from "../../../../src/webhooks/egress/sender.ts";
import { sendInProcess } from "../../../support/processes/sender-processes.ts";
import { RECEIVER_TLS, startReceiver, TEST_CA, TEST_CA_FILE } from "../../../support/webhooks/receiver.ts";

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../fixtures/tls/${name}`, import.meta.url)));
const faulty = (name: string): TlsOptions => ({ cert: fixture(`${name}.pem`), key: fixture("faulty.key") });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Sends to a receiver with this TLS, trusts the authorities of all test certificates, and counts its requests. */
async function sendTo(options: TlsOptions): Promise<{ reason: string | null; requests: number }> {
  let requests = 0;
  const server = createServer(options, (socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      requests += 1;
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const ca = `${TEST_CA}${fixture("faulty-ca.pem")}`;
  const sender = createSender({ allowedCidrs: ["127.0.0.0/8"], ca });
  closing.push(
    () => server.close(),
    () => sender.close(),
  );
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { reason } = await sender.send({ url, headers: {}, body: "{}" });
  return { reason, requests };
}

it("delivers over TLS 1.2 and 1.3, and over nothing older", async () => {
  const only = (version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3") =>
    // By default OpenSSL refuses the old versions.
    sendTo({ ...RECEIVER_TLS, minVersion: version, maxVersion: version, ciphers: "DEFAULT:@SECLEVEL=0" });
  expect(await only("TLSv1.3")).toEqual({ reason: null, requests: 1 });
  expect(await only("TLSv1.2")).toEqual({ reason: null, requests: 1 });
  expect(await only("TLSv1.1")).toEqual({ reason: "tls_failed", requests: 0 });
});

it.each(["expired", "other-host", "self-signed"])(
  "sends nothing to a receiver whose certificate is %s",
  async (name) => {
    expect(await sendTo(faulty(name))).toEqual({ reason: "tls_failed", requests: 0 });
  },
);

it("checks certificates whatever the environment says", async () => {
  const { url, close } = await startReceiver();
  closing.push(close);
  const orders = { urls: [url], sendCount: 1, timeoutMs: 15_000, warmUpUrl: url };
  const { results } = await sendInProcess(orders, {
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_NO_WARNINGS: "1",
  });
  expect(results).toMatchObject([{ httpStatus: null, reason: "tls_failed" }]);
});

it("trusts the authorities of NODE_EXTRA_CA_CERTS beside the usual ones", async () => {
  const { url, close } = await startReceiver();
  closing.push(close);
  const orders = { urls: [url], sendCount: 1, timeoutMs: 15_000, warmUpUrl: url };
  const { results } = await sendInProcess(orders, { NODE_EXTRA_CA_CERTS: TEST_CA_FILE });
  expect(results).toMatchObject([{ httpStatus: 204, reason: null }]);
});
