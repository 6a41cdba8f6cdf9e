// Ways in which a file breaks.
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";

export type Change = (file: string) => Promise<unknown>;

export const rewriteBytes =
  (edit: (bytes: Buffer) => Buffer): Change =>
  async (file) =>
    writeFile(file, edit(await readFile(file)));

/** Latin-1 keeps every byte, whatever the file's encoding. */
export const rewrite = (edit: (text: string) => string): Change =>
  rewriteBytes((bytes) => Buffer.from(edit(bytes.toString("latin1")), "latin1"));

export const replaceBy = (content: string | Buffer): Change => rewriteBytes(() => Buffer.from(content));
export const cutTo = (part: number): Change =>
  rewriteBytes((bytes) => bytes.subarray(0, Math.round(bytes.length * part)));

/** Its rows, each changed by `edit`. */
export const rewriteRows = (
  edit: (row: Record<string, string>, index: number) => Record<string, string>,
): Change =>
  rewrite((text) => {
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const line = (fields: string[]) =>
      `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",")}\n`;
    return [Object.keys(rows[0] ?? {}), ...rows.map((row, index) => Object.values(edit(row, index)))]
      .map(line)
      .join("");
  });

/** A gzip file with one inverted byte, counted from its end. */
export const damagedGzip = (fromEnd: number): Change =>
  rewriteBytes((bytes) => {
    const packed = gzipSync(bytes);
    packed.writeUInt8((packed.at(-fromEnd) ?? 0) ^ 0xff, packed.length - fromEnd);
    return packed;
  });

/** The beginning of a zip archive that has a file with this name. */
export const zipOf = (name: string): Buffer => {
  const head = Buffer.alloc(30);
  head.write("PK\x03\x04");
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(`${name}DOT_NUMBER\n1\n`)]);
};

/** A hundred times its rows, each time under other dockets. */
export const times100 = rewrite((text) => {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const copies = Array.from({ length: 100 }, (_, copy) =>
    lines.map((line, index) => line.replace(/^[^,]*/, `MC${1_000_000 + copy * 100_000 + index}`)),
  );
  return `${[header, ...copies.flat()].join("\n")}\n`;
});
