import { type FileHandle, open } from "node:fs/promises";
import type { verifyDelivery, verifyThinDelivery } from "@trucking-data-feed/sdk/webhooks";

/** An event, a correction or a change, thin or not. Each has an `id` of its own. */
export type Delivered = Awaited<ReturnType<typeof verifyDelivery | typeof verifyThinDelivery>>;

/** Stores each event once, in a file with one JSON line per event. */
export interface Inbox {
  /** True when the event is new; false when it was stored before. In both cases it is on the disk afterwards. */
  keep(event: Delivered): Promise<boolean>;
}

/**
 * Opens the inbox and reads which events it has. A database does the same with a unique key on the event's id, best in
 * the transaction that does the work.
 */
export async function openInbox(file: string): Promise<Inbox> {
  const handle = await open(file, "a+", 0o600);
  const kept = new Map<string, Promise<void>>();
  for (const line of await wholeLines(handle))
    kept.set((JSON.parse(line) as Delivered).id, Promise.resolve());
  let writing = Promise.resolve();
  return {
    async keep(event) {
      const earlier = kept.get(event.id);
      if (earlier) {
        await earlier;
        return false;
      }
      // One write after the other, so that lines do not mix.
      const written = writing.then(() => append(handle, `${JSON.stringify(event)}\n`));
      writing = written.catch(() => {});
      kept.set(event.id, written);
      try {
        await written;
      } catch (error) {
        kept.delete(event.id);
        throw error;
      }
      return true;
    },
  };
}

/** The lines of the file. A partial last line was never acknowledged, so it is cut off: the event comes again. */
async function wholeLines(handle: FileHandle): Promise<string[]> {
  const text = await handle.readFile("utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  await handle.truncate(Buffer.byteLength(whole));
  return whole.split("\n").filter((line) => line !== "");
}

async function append(handle: FileHandle, line: string): Promise<void> {
  const { size } = await handle.stat();
  try {
    await handle.appendFile(line);
    await handle.sync();
  } catch (error) {
    await handle.truncate(size);
    throw error;
  }
}
