import { isUtf8 } from "node:buffer";
import { Refusal } from "./refusal.ts";

const NEWLINE = 10;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");
/** Records of the registry are far shorter. The limit keeps a file without line ends from filling the memory. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;

const windows1252 = new TextDecoder("windows-1252");

/** Findings about the lines of a file. */
export interface LineFindings {
  /** How many lines were read as Windows-1252, the encoding of older text, because they are not UTF-8. */
  windows1252Lines: number;
  /** False if the file ends in the middle of a line. */
  endsWithNewline: boolean;
}

/** The bytes as UTF-8 in blocks of whole lines, without byte order marks at their beginning. Refusal for a line that is too long. */
export async function* utf8Lines(
  bytes: AsyncIterable<Buffer>,
  file: string,
  findings: LineFindings,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let isFirst = true;
  const block = (): Buffer => {
    const whole = rest.length === 1 && rest[0] ? rest[0] : Buffer.concat(rest);
    const lines = isFirst ? withoutByteOrderMarks(whole) : whole;
    isFirst = false;
    return isUtf8(lines) ? lines : toUtf8(lines, findings);
  };
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    rest.push(end === 0 ? chunk : chunk.subarray(0, end));
    restBytes += chunk.length;
    if (end === 0) {
      if (restBytes > LONGEST_LINE_BYTES)
        throw new Refusal(`${file} has a line without an end, so it is damaged; download it again.`);
      continue;
    }
    yield block();
    rest = end === chunk.length ? [] : [chunk.subarray(end)];
    restBytes = chunk.length - end;
  }
  findings.endsWithNewline = restBytes === 0;
  if (restBytes > 0) yield block();
}

/** Programs that do not know the mark put another one before it. */
function withoutByteOrderMarks(bytes: Buffer): Buffer {
  let from = 0;
  while (bytes.subarray(from, from + BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
    from += BYTE_ORDER_MARK.length;
  return bytes.subarray(from);
}

/** Decodes line by line, since only some lines of a file have the old encoding. */
function toUtf8(lines: Buffer, findings: LineFindings): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf(NEWLINE, start);
    const end = newline === -1 ? lines.length : newline + 1;
    const line = lines.subarray(start, end);
    const isOld = !isUtf8(line);
    if (isOld) findings.windows1252Lines += 1;
    parts.push(isOld ? Buffer.from(windows1252.decode(line)) : line);
    start = end;
  }
  return Buffer.concat(parts);
}

/** Decodes a text that may be cut off anywhere, as UTF-8 or else as Windows-1252. */
export function textOf(bytes: Buffer): string {
  const text = withoutByteOrderMarks(bytes);
  return isUtf8(text) ? text.toString("utf8") : windows1252.decode(text);
}
