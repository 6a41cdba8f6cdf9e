import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { OperatorError } from "./operator-error.ts";

/** Encrypts secrets that must be readable again. A sealed value opens only with the `boundTo` it was sealed with. */
export interface Secrets {
  /** AES-256-GCM with the first key; `boundTo` (for example "webhook_endpoint 17") is authenticated with it. */
  seal(text: string, boundTo: string): Buffer;
  /** Returns the text. Throws when the value was altered, was bound to something else, or its key is unknown. */
  open(sealed: Uint8Array, boundTo: string): string;
  /** Whether a value was sealed with another key than the first. */
  isOutdated(sealed: Uint8Array): boolean;
  /** A keyed digest under the first key, the same for the same text and purpose. It does not reveal the text. */
  digest(text: string, purpose: string): Buffer;
}

// format (1 byte), key number (4), nonce (12), tag (16), ciphertext
const FORMAT = 1;
const NONCE_AT = 5;
const TAG_AT = 17;
const TEXT_AT = 33;

/** Secrets under these keys of 32 bytes. Without a key, every use throws an OperatorError that says what to set. */
export function secretsUnder(keys: readonly Buffer[]): Secrets {
  const known = keys.map((key) => ({ key, number: numberOf(key) }));
  const sealing = () => {
    const [first] = known;
    if (first) return first;
    throw new OperatorError(
      "SECRETS_KEY is not set. With DATABASE_URL it must hold 32 random bytes in base64, the same for every process. " +
        "`openssl rand -base64 32` prints such a key.",
    );
  };
  return {
    seal(text, boundTo) {
      const { key, number } = sealing();
      const nonce = randomBytes(TAG_AT - NONCE_AT);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(FORMAT), number, nonce, cipher.getAuthTag(), encrypted]);
    },
    open(sealed, boundTo) {
      sealing();
      const value = Buffer.from(sealed);
      const match = known.find(({ number }) => number.equals(value.subarray(1, NONCE_AT)));
      if (value[0] !== FORMAT || !match)
        throw new Error("A sealed value was sealed with a key not in SECRETS_KEY");
      const decipher = createDecipheriv("aes-256-gcm", match.key, value.subarray(NONCE_AT, TAG_AT))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(value.subarray(TAG_AT, TEXT_AT));
      return Buffer.concat([decipher.update(value.subarray(TEXT_AT)), decipher.final()]).toString("utf8");
    },
    digest: (text, purpose) =>
      createHmac("sha256", Buffer.from(hkdfSync("sha256", sealing().key, "", `digest of ${purpose}`, 32)))
        .update(text)
        .digest(),
    isOutdated: (sealed) => !sealing().number.equals(Buffer.from(sealed).subarray(1, NONCE_AT)),
  };
}

/** A number that identifies a key without revealing it. */
const numberOf = (key: Buffer): Buffer =>
  createHash("sha256")
    .update("secrets key")
    .update(key)
    .digest()
    .subarray(0, NONCE_AT - 1);
