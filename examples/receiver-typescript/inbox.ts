import { type FileHandle, open } from "node:fs/promises";
import type { verifyDelivery, verifyThinDelivery } from "@trucking-data-feed/sdk/webhooks";

/** An event, a correction or a change, thin or not. Each has an `id` of its own. */
export type Delivered = Awaited<ReturnType<typeof verifyDelivery | typeof verifyThinDelivery>>;

/** Stores each event once, in a file with one JSON line per event. */
export interface Inbox {
  /**
   * Does the work of a new event, then stores the event. When the work fails, nothing is stored. Nothing is done for an event
   * that is stored already.
   */
  keep(event: Delivered, work: (event: Delivered) => void | Promise<void>): Promise<void>;
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
    async keep(event, work) {
      const earlier = kept.get(event.id);
      if (earlier) return earlier;
      // One after the other, so that lines do not mix. A crash before the line is whole repeats the work, and loses none.
      const written = writing.then(async () => {
        await work(event);
        await append(handle, `${JSON.stringify(event)}\n`);
      });
      writing = written.catch(() => {});
      kept.set(event.id, written);
      try {
        await written;
      } catch (error) {
        kept.delete(event.id);
        throw error;
      }
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
