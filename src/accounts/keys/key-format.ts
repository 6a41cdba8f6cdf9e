import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62, randomBase62 } from "../../platform/base62.ts";
import type { Context } from "../../platform/context.ts";

// tdf_live_<identifier>_<secret><checksum>, or tdf_test_…: one pattern finds every key that leaks into a text. The checksum
// detects a mistyped key without a query.
const KEY_PATTERN = /^tdf_(?:live|test)_([0-9A-Za-z]{8})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Whether a key is for the database of test mode. Neither database has a key of the other. */
export type KeyMode = "live" | "test";

/** A new key: its identifier, which may be shown, and the whole key, which is shown once. 30 characters are 178 bits. */
export function newKey(mode: KeyMode = "live"): { id: string; key: string } {
  const id = randomBase62(8);
  return { id, key: keyText(id, newSecret(), mode) };
}

export const newSecret = (): string => randomBase62(30);

/** The whole key of an identifier and a secret, with its checksum. */
export const keyText = (id: string, secret: string, mode: KeyMode = "live"): string =>
  `${keyPrefix(id, mode)}_${secret}${checksum(id, secret)}`;

/** The part of a key that may be shown and logged. */
export const keyPrefix = (id: string, mode: KeyMode = "live"): string => `tdf_${mode}_${id}`;

/** Whether a text looks like a test key. */
export const isTestKey = (presented: string | undefined): boolean =>
  presented?.startsWith("tdf_test_") === true;

/** The mode of a context's database. */
export const keyModeOf = ({ live }: Pick<Context, "live">): KeyMode => (live === undefined ? "live" : "test");

/** The identifier and hash of a presented key, or null if its form or checksum is wrong. */
export function parseKey(presented: string): { id: string; secretHash: Buffer } | null {
  const [, id, secret, sum] = KEY_PATTERN.exec(presented) ?? [];
  if (!id || !secret || sum !== checksum(id, secret)) return null;
  return { id, secretHash: hashKey(presented) };
}

/** SHA-256 of the whole key. A slow hash is not needed: the secret is random, not a chosen word. */
export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

/** A text that differs between the secrets of a key, and tells nothing about them: a page may have it. */
export const secretMark = (secretHash: Uint8Array): string => hash("sha256", secretHash).slice(0, 16);

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
