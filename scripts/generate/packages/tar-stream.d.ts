// What we use of tar-stream, which brings no types.
declare module "tar-stream" {
  import type { Readable } from "node:stream";
  export function pack(): Readable & {
    entry(header: { name: string; mtime: Date; mode: number }, content: string | Buffer | undefined): void;
    finalize(): void;
  };
}
