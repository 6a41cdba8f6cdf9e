import { Gauge } from "prom-client";
import type { Context } from "../platform/context.ts";
import type { BackupMade } from "./backup.ts";

/** Records that a backup was finished. */
export async function recordBackup(
  { db, clock }: Pick<Context, "db" | "clock">,
  { size_bytes: sizeBytes }: Pick<BackupMade, "size_bytes">,
): Promise<void> {
  await db.prisma.lastBackup.updateMany({ data: { finishedAt: clock.now(), sizeBytes } });
}

/** When `tdf backup` last wrote a whole file of this database; null: never. A restore is no backup. */
export async function lastBackupAt({ db }: Pick<Context, "db">): Promise<Date | null> {
  return (await db.prisma.lastBackup.findFirst())?.finishedAt ?? null;
}

/** Adds the metric of the last backup. A scrape reads it. */
export function watchBackups({ db, metrics }: Pick<Context, "db" | "metrics">): void {
  new Gauge({
    name: "tdf_backup_last_finished_timestamp_seconds",
    help: "When tdf backup last finished, in seconds since 1970; none when it never did.",
    registers: [metrics.registry],
    async collect() {
      const at = await lastBackupAt({ db }).catch(() => null);
      this.remove();
      if (at !== null) this.set(at.getTime() / 1000);
    },
  });
}
