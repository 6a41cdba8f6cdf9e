import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { sendBytes as sendEncoded } from "../../api/answer.ts";
import { matchesEtag } from "../../feeds/records/checkpoint.ts";

/** Sends a file or a text, compressed if the client wants it. Pass the same Buffer each time: it is compressed once. */
export function sendBytes(
  request: Request,
  response: Response,
  { type, bytes }: { type: string; bytes: Buffer },
): Promise<void> {
  setType(response, type);
  response.setHeader("Vary", "Accept-Encoding");
  return sendEncoded(request, response, bytes);
}

/** A file that does not change while the process runs. */
interface ServedFile {
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
  setType(response, type);
  response.setHeader("Content-Length", bytes.length).end(bytes);
}

/** A browser that shows the file as a page loads nothing for it. */
function setType(response: Response, type: string): void {
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
}
