// MD5 (RFC 1321) of parts of a buffer. Calling the platform's costs a microsecond each time, which for the short lines
// of millions of rows is more than reading them.

/** By step: the sine table, and in which order each round takes the sixteen words of a block. */
const SINES = Int32Array.from({ length: 64 }, (_, step) =>
  Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32),
);
const BLOCK_BYTES = 64;
/** The padding's first bit, and the eight bytes of length at the very end. */
const LEAST_PADDING_BYTES = 9;

const words = new Int32Array(16);
const tail = new DataView(new ArrayBuffer(2 * BLOCK_BYTES));
const tailBytes = new Uint8Array(tail.buffer);

/** Writes the MD5 of `bytes` from `from` to `to` into the first four places of `digest`, as little-endian words. */
export function md5(bytes: DataView, from: number, to: number, digest: Int32Array): void {
  digest[0] = 0x67452301;
  digest[1] = 0xefcdab89;
  digest[2] = 0x98badcfe;
  digest[3] = 0x10325476;
  let place = from;
  for (; place + BLOCK_BYTES <= to; place += BLOCK_BYTES) addBlock(bytes, place, digest);
  const rest = to - place;
  tailBytes.fill(0);
  for (let index = 0; index < rest; index += 1) tailBytes[index] = bytes.getUint8(place + index);
  tailBytes[rest] = 0x80;
  const tailSize = rest + LEAST_PADDING_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  tail.setUint32(tailSize - 8, (to - from) << 3, true);
  tail.setUint32(tailSize - 4, Math.floor((to - from) / 2 ** 29), true);
  for (let index = 0; index < tailSize; index += BLOCK_BYTES) addBlock(tail, index, digest);
}

function addBlock(bytes: DataView, place: number, digest: Int32Array): void {
  for (let index = 0; index < 16; index += 1) words[index] = bytes.getInt32(place + 4 * index, true);
  let a = digest[0] as number;
  let b = digest[1] as number;
  let c = digest[2] as number;
  let d = digest[3] as number;
  // Four steps at a time, so that the four words turn back to their own names.
  for (let step = 0; step < 16; step += 4) {
    a = mixed(a, b, d ^ (b & (c ^ d)), step, step, 7);
    d = mixed(d, a, c ^ (a & (b ^ c)), step + 1, step + 1, 12);
    c = mixed(c, d, b ^ (d & (a ^ b)), step + 2, step + 2, 17);
    b = mixed(b, c, a ^ (c & (d ^ a)), step + 3, step + 3, 22);
  }
  for (let step = 16; step < 32; step += 4) {
    a = mixed(a, b, c ^ (d & (b ^ c)), step, 5 * step + 1, 5);
    d = mixed(d, a, b ^ (c & (a ^ b)), step + 1, 5 * step + 6, 9);
    c = mixed(c, d, a ^ (b & (d ^ a)), step + 2, 5 * step + 11, 14);
    b = mixed(b, c, d ^ (a & (c ^ d)), step + 3, 5 * step + 16, 20);
  }
  for (let step = 32; step < 48; step += 4) {
    a = mixed(a, b, b ^ c ^ d, step, 3 * step + 5, 4);
    d = mixed(d, a, a ^ b ^ c, step + 1, 3 * step + 8, 11);
    c = mixed(c, d, d ^ a ^ b, step + 2, 3 * step + 11, 16);
    b = mixed(b, c, c ^ d ^ a, step + 3, 3 * step + 14, 23);
  }
  for (let step = 48; step < 64; step += 4) {
    a = mixed(a, b, c ^ (b | ~d), step, 7 * step, 6);
    d = mixed(d, a, b ^ (a | ~c), step + 1, 7 * step + 7, 10);
    c = mixed(c, d, a ^ (d | ~b), step + 2, 7 * step + 14, 15);
    b = mixed(b, c, d ^ (c | ~a), step + 3, 7 * step + 21, 21);
  }
  digest[0] = (digest[0] as number) + a;
  digest[1] = (digest[1] as number) + b;
  digest[2] = (digest[2] as number) + c;
  digest[3] = (digest[3] as number) + d;
}

function mixed(a: number, b: number, f: number, step: number, word: number, turn: number): number {
  const sum = (a + f + (SINES[step] as number) + (words[word & 15] as number)) | 0;
  return (((sum << turn) | (sum >>> (32 - turn))) + b) | 0;
}
