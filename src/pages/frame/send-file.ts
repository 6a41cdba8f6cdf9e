import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { matchesEtag } from "../../feeds/records/etag.ts";

/** A file that does not change while the process runs. */
export interface ServedFile {
  type: string;
  bytes: Buffer;
  /** Names these bytes. */
  tag: string;
}

/** A file to send again and again. */
export const servedFile = (type: string, bytes: Buffer): ServedFile => ({
  type,
  bytes,
  tag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
});

/** Sends a file as it is, uncompressed, or 304 to a client that has it. It may be kept for an hour. */
export function sendFile(request: Request, response: Response, { type, bytes, tag }: ServedFile): void {
  response.setHeader("ETag", tag).setHeader("Cache-Control", "public, max-age=3600");
  if (matchesEtag(request.get("if-none-match"), tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader("Content-Type", type).setHeader("Content-Length", bytes.length);
  // A browser that shows the text as a page loads nothing for it.
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response.end(bytes);
}
