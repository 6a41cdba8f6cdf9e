import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62, randomBase62 } from "../../platform/base62.ts";

// tdf_live_<identifier>_<secret><checksum>: one pattern finds every key that leaks into a text. The checksum detects a
// mistyped key without a query.
const KEY_PREFIX = "tdf_live_";
const KEY_PATTERN = /^tdf_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new key: its identifier, which may be shown, and the whole key, which is shown once. 30 characters are 178 bits. */
export function newKey(): { id: string; key: string } {
  const id = randomBase62(8);
  return { id, key: keyText(id, newSecret()) };
}

export const newSecret = (): string => randomBase62(30);

/** The whole key of an identifier and a secret, with its checksum. */
export const keyText = (id: string, secret: string): string =>
  `${keyPrefix(id)}_${secret}${checksum(id, secret)}`;

/** The part of a key that may be shown and logged. */
export const keyPrefix = (id: string): string => `${KEY_PREFIX}${id}`;

/** The identifier and hash of a presented key, or null if its form or checksum is wrong. */
export function parseKey(presented: string): { id: string; secretHash: Buffer } | null {
  const [, id, secret, sum] = KEY_PATTERN.exec(presented) ?? [];
  if (!id || !secret || sum !== checksum(id, secret)) return null;
  return { id, secretHash: hashKey(presented) };
}

/** SHA-256 of the whole key. A slow hash is not needed: the secret is random, not a chosen word. */
export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

// CRC-32 detects every change of one character; six base-62 digits hold all its values.
function checksum(id: string, secret: string): string {
  let rest = crc32(`${id}_${secret}`);
  let text = "";
  for (let position = 0; position < 6; position++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
