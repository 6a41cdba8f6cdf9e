import type { Request, Response } from "express";
import { sendBytes as sendEncoded } from "../../api/answer.ts";

/** Sends a file or a text, compressed if the client wants it. Pass the same Buffer each time: it is compressed once. */
export function sendBytes(
  request: Request,
  response: Response,
  { type, bytes }: { type: string; bytes: Buffer },
): Promise<void> {
  response.setHeader("Content-Type", type).setHeader("Vary", "Accept-Encoding");
  // A browser that shows the text as a page loads nothing for it.
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  return sendEncoded(request, response, bytes);
}
