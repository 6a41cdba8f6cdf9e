import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import Mux from "@mux/mux-node";
import Stripe from "stripe";
import { verifyWebhook, WebhookVerificationError } from "../../../packages/sdk/src/index.ts";

export interface Delivery {
  header: string;
  body: Buffer;
  secret: string;
}

/** A delivery as a library of Standard Webhooks reads it. */
export interface StandardDelivery {
  headers: Record<string, string>;
  body: Buffer;
  secret: string;
}

/** Whether a verifier accepts a delivery as genuine now. */
type Verifier = (delivery: Delivery) => Promise<boolean>;

export const signedAt = ({ header }: Delivery): number => Number(/^t=(\d+),/.exec(header)?.[1]);

const stripe = new Stripe("sk_test_none");
const byStripe: Verifier = async ({ header, body, secret }) => {
  try {
    stripe.webhooks.constructEvent(body, header, secret);
    return true;
  } catch {
    // Stripe has errors without a type for an empty signature and for one that is not hex. Whatever it throws, it does
    // not accept the delivery; the genuine ones below show that it can.
    return false;
  }
};

const mux = new Mux({ tokenId: "none", tokenSecret: "none" });
const byMux: Verifier = async ({ header, body, secret }) => {
  const verifying = mux.webhooks.verifySignature(body.toString("utf8"), { "mux-signature": header }, secret);
  return verifying.then(
    () => true,
    () => false,
  );
};

const bySdk: Verifier = async (delivery) => {
  try {
    await verifyWebhook(delivery);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
};

/** The snippet in the guide that verifies a delivery, in a language. */
const guide = await readFile(new URL("../../../src/pages/guides/webhooks.md", import.meta.url), "utf8");
const FENCE = "```";
export const snippet = (language: string): string =>
  guide.split("\n## Verify a delivery\n")[1]?.split(`${FENCE}${language}\n`)[1]?.split(FENCE)[0] ?? "";

const typescript = `${stripTypeScriptTypes(snippet("ts"))}\nexport { isGenuine };`;
const documented = await import(`data:text/javascript,${encodeURIComponent(typescript)}`);
const byGuide: Verifier = async ({ header, body, secret }) => documented.isGenuine(header, body, secret);

export const verifiers: [string, Verifier][] = [
  ["stripe", byStripe],
  ["mux", byMux],
  ["the SDK", bySdk],
  ["the guide's snippet in TypeScript", byGuide],
];

export function flipped(
  { header, body, secret }: Delivery,
  part: string,
  { offset, bit }: { offset: number; bit: number },
): Delivery {
  const [time = "", signature = ""] = header.split(",").map((each) => each.slice(each.indexOf("=") + 1));
  const turn = (bytes: Buffer): Buffer => {
    const at = offset % bytes.length;
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << bit);
    return copy;
  };
  const text = (value: string) => turn(Buffer.from(value)).toString("latin1");
  if (part === "body") return { header, body: turn(body), secret };
  if (part === "time") return { header: `t=${text(time)},v1=${signature}`, body, secret };
  return { header: `t=${time},v1=${text(signature)}`, body, secret };
}
