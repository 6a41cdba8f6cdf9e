import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import Negotiator from "negotiator";

/** The fastest first. At these levels each costs about half as much time as the next, for the same size. */
export const CODINGS = ["zstd", "br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

const CHOICE = [...CODINGS, "identity"];

/** The coding that the client of a request prefers; null to send the bytes as they are. */
export function codingFor({ headers }: Pick<IncomingMessage, "headers">): Coding | null {
  const accepted = headers["accept-encoding"];
  if (accepted === undefined || accepted === "identity") return null;
  const best = new Negotiator({ headers: { "accept-encoding": accepted } }).encoding(CHOICE, {
    preferred: CODINGS,
  });
  return CODINGS.find((coding) => coding === best) ?? null;
}

// The lowest levels: higher ones cost several times as much for a few percent.
const { ZSTD_c_compressionLevel, BROTLI_PARAM_QUALITY, Z_BEST_SPEED } = zlib.constants;
const ZSTD = { params: { [ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: Z_BEST_SPEED };

const STREAMS: Record<Coding, () => Transform> = {
  zstd: () => zlib.createZstdCompress(ZSTD),
  br: () => zlib.createBrotliCompress(BROTLI),
  gzip: () => zlib.createGzip(GZIP),
};

/** Compresses a stream. */
export const compressor = (coding: Coding): Transform => STREAMS[coding]();

const zstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip);

const WHOLE: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: (bytes) => zstd(bytes, ZSTD),
  br: (bytes) => brotli(bytes, BROTLI),
  gzip: (bytes) => gzip(bytes, GZIP),
};

/** Compressed forms of cached bytes. They are collected together with the bytes. */
const finished = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>();

/** Compresses bytes; once for the same Buffer. */
export function compressed(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const forms = finished.get(bytes) ?? new Map<Coding, Promise<Buffer>>();
  finished.set(bytes, forms);
  const existing = forms.get(coding);
  if (existing) return existing;
  const fresh = WHOLE[coding](bytes);
  forms.set(coding, fresh);
  // A failure is not cached.
  fresh.catch(() => forms.delete(coding));
  return fresh;
}
