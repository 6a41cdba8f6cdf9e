import { type FileHandle, open } from "node:fs/promises";

/** An event as it is delivered. */
export interface CarrierEvent {
  /** The same over all retries and replays: what repeats are known by. */
  id: string;
  type: string;
  created: string;
  data: { usdot: string; docket: string | null; state: string | null; data: Record<string, unknown> };
}

/** Keeps each event once, in a file of one JSON line per event. */
export interface Inbox {
  /** True when the event is new; false when it was kept before. Either way it is on the disk when this is answered. */
  keep(event: CarrierEvent): Promise<boolean>;
}

/**
 * Opens the inbox and reads which events it has. A database does the same with a unique key on the event's id, best in
 * the transaction that does the work.
 */
export async function openInbox(file: string): Promise<Inbox> {
  const handle = await open(file, "a+", 0o600);
  const kept = new Map<string, Promise<void>>();
  for (const line of await wholeLines(handle))
    kept.set((JSON.parse(line) as CarrierEvent).id, Promise.resolve());
  let writing = Promise.resolve();
  return {
    async keep(event) {
      const earlier = kept.get(event.id);
      if (earlier) {
        await earlier;
        return false;
      }
      // One after the other, so that no line is torn by another.
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

/** The lines of the file. Half a line at its end was never acknowledged, so it is cut off: the event comes again. */
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
