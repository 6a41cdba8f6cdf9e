import type { Request } from "express";
import { readBytes } from "../../../api/body.ts";
import { ProblemError } from "../../../platform/http/problem.ts";

/** A file of 10,000 companies with some 40 columns. */
const LARGEST_UPLOAD_BYTES = 4 * 1024 * 1024;

/**
 * Reads a form that may have a file into the body of the request: each field as a text, and of a file its text. A plain form
 * was read before. ProblemError payload_too_large or unsupported_media_type.
 */
export async function readUpload(request: Request): Promise<void> {
  const type = request.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return;
  const body = await readBytes(request, LARGEST_UPLOAD_BYTES, tooLarge);
  const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } })
    .formData()
    .catch(() => {
      throw new ProblemError(
        "unsupported_media_type",
        "The form could not be read. Go back and send it again.",
      );
    });
  const fields = await Promise.all(
    [...form].map(
      async ([name, value]) => [name, typeof value === "string" ? value : await textOf(value)] as const,
    ),
  );
  request.body = Object.fromEntries(fields);
}

/** The text of a file: UTF-8, or UTF-16 as spreadsheets save it, by its byte order mark. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.bytes();
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

const tooLarge = (): ProblemError =>
  new ProblemError(
    "payload_too_large",
    "The file is larger than 4 MB, so nothing was changed. Leave out columns, or send it in parts.",
  );
