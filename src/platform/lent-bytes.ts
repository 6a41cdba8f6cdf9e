// Bytes that are lent and used again. V8 collects its whole heap for every 64 MB of new buffers, whoever still needs them: pages
// that are asked for once would make it do so several times a second.

/** Smaller buffers are cheap, and never lent. */
export const SMALLEST_LENT = 16 * 1024;
/** Sizes are rounded up to it, so that pages of about the same size can take turns. */
const STEP = 16 * 1024;
/** So many bytes wait to be lent at most. */
const MOST_IDLE = 8 * 1024 * 1024;

/** In the order in which they were given back. */
const idle: ArrayBufferLike[] = [];
let idleBytes = 0;
/** What is lent now. Each may be given back once. */
const lent = new WeakSet<ArrayBufferLike>();

/** A buffer of this size whose bytes are any. It need not be given back. */
export function lendBytes(size: number): Buffer {
  if (size < SMALLEST_LENT) return Buffer.allocUnsafeSlow(size);
  const room = Math.ceil(size / STEP) * STEP;
  const at = idle.findLastIndex((bytes) => bytes.byteLength === room);
  const [used] = at < 0 ? [] : idle.splice(at, 1);
  if (used !== undefined) idleBytes -= room;
  const bytes = used ?? Buffer.allocUnsafeSlow(room).buffer;
  lent.add(bytes);
  return Buffer.from(bytes, 0, size);
}

/** Takes back a buffer that nobody reads or writes any more. Others, and one that is given back again, stay as they are. */
export function giveBack({ buffer }: Buffer): void {
  if (!lent.delete(buffer)) return;
  idle.push(buffer);
  idleBytes += buffer.byteLength;
  // Those that nobody asked for go first, so that pages of another size have their turn.
  while (idleBytes > MOST_IDLE) idleBytes -= idle.shift()?.byteLength ?? 0;
}
