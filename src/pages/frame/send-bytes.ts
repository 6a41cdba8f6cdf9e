import type { Request, Response } from "express";
import { codingFor, compressed } from "../../api/content-coding.ts";

/** Sends a file or a text, compressed if the client wants it. Pass the same Buffer each time: it is compressed once. */
export async function sendBytes(
  request: Request,
  response: Response,
  { type, bytes }: { type: string; bytes: Buffer },
): Promise<void> {
  const coding = codingFor(request);
  response.setHeader("Content-Type", type).setHeader("Vary", "Accept-Encoding");
  // A browser that shows the text as a page loads nothing for it.
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  if (coding !== null) response.setHeader("Content-Encoding", coding);
  response.end(coding === null ? bytes : await compressed(bytes, coding));
}
