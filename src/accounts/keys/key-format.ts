import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62, randomBase62 } from "../../platform/base62.ts";

// tdf_live_<identifier>_<secret><checksum>: one pattern finds every key that leaks into a text, and the checksum
// tells a mistyped key from a real one without a look into the database.
const KEY_PREFIX = "tdf_live_";
const KEY_PATTERN = /^tdf_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new key: its identifier, which may be shown, and the whole key, which is shown once. 30 characters are 178 bits. */
export function newKey(): { id: string; key: string } {
  const id = randomBase62(8);
  const secret = randomBase62(30);
  return { id, key: keyText(id, secret) };
}

/** The whole key of an identifier and a secret, with its checksum. */
export const keyText = (id: string, secret: string): string =>
  `${keyPrefix(id)}_${secret}${checksum(id, secret)}`;

/** The part of a key that may be shown and logged. */
export const keyPrefix = (id: string): string => `${KEY_PREFIX}${id}`;

/** The identifier of a presented key and the hash to compare; null when its form or checksum is wrong. */
export function parseKey(presented: string): { id: string; secretHash: Buffer } | null {
  const [, id, secret, sum] = KEY_PATTERN.exec(presented) ?? [];
  if (!id || !secret || sum !== checksum(id, secret)) return null;
  return { id, secretHash: hashKey(presented) };
}

/** SHA-256 of the whole key. A slow hash would add nothing: the secret is random, not a word someone chose. */
export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

// A CRC-32 differs for any change of up to 32 bits in a row, so for every single character; 62^6 holds all its values.
function checksum(id: string, secret: string): string {
  let rest = crc32(`${id}_${secret}`);
  let text = "";
  for (let position = 0; position < 6; position++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
