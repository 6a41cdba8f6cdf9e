// `@trucking-data-feed/sdk/webhooks`, the part for receivers: it runs wherever there is Web Crypto, and signs bodies for
// tests of receivers.
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiledSdk } from "../../../scripts/generate/packages/compiled-sdk.ts";
import { signatureOf, signingKeyOf, standardHeaders } from "../../../src/webhooks/secrets/signing.ts";
import { openBrowser } from "../../../test/support/network/browser.ts";
import { signWebhook, verifyThinWebhook, verifyWebhook } from "../src/receiving.ts";
import { startRawServer } from "./raw-server.ts";

const SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCD";
const OLD_SECRET = "whsec_DCBAzyxwvutsrqponmlkjihgfedcba9876543210";
const BODY = JSON.stringify({
  id: "evt_7",
  type: "reinstated",
  created: "2026-11-20T11:20:05Z",
  data: { usdot: "4300000", legal_name: "GÜTERVERKEHR № 1" },
});
const NOW = new Date("2026-11-20T11:20:06Z");

describe("a body that a receiver's test signs", () => {
  it("has both signatures of the service, and those of an overlap", async () => {
    for (const secrets of [[SECRET], [SECRET, OLD_SECRET]]) {
      const headers = await signWebhook({ body: BODY, secret: secrets, now: NOW });
      const keys = secrets.map(signingKeyOf);
      const unixSeconds = NOW.getTime() / 1000;
      expect(headers).toEqual({
        "service-signature": signatureOf(keys, unixSeconds, BODY),
        ...standardHeaders(keys, { id: "evt_7", unixSeconds, body: BODY }),
      });
    }
  });

  it("is verified by verifyWebhook, and now by a library of Standard Webhooks", async () => {
    const headers = await signWebhook({ body: BODY, secret: SECRET });
    const header = headers["service-signature"];
    expect(await verifyWebhook({ header, body: BODY, secret: SECRET })).toEqual(JSON.parse(BODY));
    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it("may be bytes, thin, or no event", async () => {
    const thin = JSON.stringify({ id: "evt_8", type: "reinstated", created: "", data: { event_url: null } });
    const body = new TextEncoder().encode(thin);
    const signed = await signWebhook({ body, secret: SECRET, now: NOW });
    const delivery = { header: signed["service-signature"], body, secret: SECRET, now: NOW };
    expect(await verifyThinWebhook(delivery)).toEqual(JSON.parse(thin));
    expect(await signWebhook({ body: "no JSON", secret: SECRET })).toMatchObject({ "webhook-id": "evt_0" });
  });

  it("is not signed with what is no secret of an endpoint", async () => {
    for (const secret of ["", "whsec_", "whsec_no base64!", "0123456789", []])
      await expect(signWebhook({ body: BODY, secret })).rejects.toThrow(/whsec_/);
  });
});

describe("the compiled part", () => {
  const files = compiledSdk(path.join(import.meta.dirname, "../../.."));

  /** A file and all that it imports. */
  function closure(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found;
    found.add(name);
    const imports = (files.get(name) ?? "").matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g);
    for (const [, imported = ""] of imports) {
      if (imported.startsWith(".")) closure(path.posix.join(path.posix.dirname(name), imported), found);
      else found.add(imported);
    }
    return found;
  }

  it("imports its own few files and nothing else", () => {
    const all = [...closure("receiving.js")];
    expect(all.filter((name) => !files.has(name))).toEqual([]);
    const sizeBytes = all.reduce((sum, name) => sum + (files.get(name) ?? "").length, 0);
    expect(sizeBytes).toBeLessThan(10_000);
    expect([...closure("index.js")].filter((name) => !files.has(name))).not.toEqual([]);
  });

  /** Signs and verifies once, where it is sent to. */
  const program = `
    import { signWebhook, verifyWebhook } from "/receiving.js";
    const given = ${JSON.stringify({ body: BODY, secret: SECRET })};
    const header = (await signWebhook(given))["service-signature"];
    const event = await verifyWebhook({ ...given, header });
    const forged = await verifyWebhook({ ...given, body: given.body + " ", header }).catch(({ reason }) => reason);
    const told = [event.data.legal_name, forged, typeof process, typeof Buffer];
    export { told };`;

  describe("in a browser", async () => {
    const browser = await openBrowser();
    let server: Awaited<ReturnType<typeof startRawServer>>;
    beforeAll(async () => {
      server = await startRawServer(({ url = "/" }, response) => {
        const worker = 'import { told } from "/program.js"; postMessage(told);';
        const own: Record<string, string> = { "/program.js": program, "/worker.js": worker };
        const text = own[url] ?? files.get(url.slice(1));
        const type = text === undefined ? "text/html" : "text/javascript";
        response.writeHead(200, { "content-type": type }).end(text ?? "<title>A page</title>");
      });
    });
    afterAll(async () => {
      await server.close();
      await browser?.close();
    });

    it.skipIf(browser === null)("signs and verifies, in a page and in a worker", async () => {
      const page = await browser?.newPage();
      await page?.goto(server.url);
      const told = ["GÜTERVERKEHR № 1", "wrong_signature", "undefined", "undefined"];
      expect(await page?.evaluate("import('/program.js').then(({ told }) => told)")).toEqual(told);
      const inWorker = `new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      })`;
      expect(await page?.evaluate(inWorker)).toEqual(told);
    });
  });
});
