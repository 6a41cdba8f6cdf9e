import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** The day that npm gives to all files of a package. */
const MTIME = new Date("1985-10-26T08:15:00Z");
/** The byte of a gzip header that names the system it was made on; 255 is "unknown". */
const SYSTEM_BYTE = 9;

/** A .tgz of files in one folder. The same files make the same bytes, whenever and wherever. */
export async function tarball(folder: string, files: ReadonlyMap<string, string | Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const name of [...files.keys()].sort()) {
    archive.entry({ name: `${folder}/${name}`, mtime: MTIME, mode: 0o644 }, files.get(name));
  }
  archive.finalize();
  const zipped = gzipSync(await buffer(archive), { level: 9 });
  zipped[SYSTEM_BYTE] = 255;
  return zipped;
}
