import { randomUUID } from "node:crypto";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { VERSION } from "../platform/version.ts";

export type ProcessKind = "start" | "serve" | "dispatch";

/** A process that said so in the last minutes. */
export interface LivingProcess {
  id: string;
  kind: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
}

const LIVES_MS = 3 * 60_000;

/** The processes of the service that live, oldest first. Commands are none. */
export const listProcesses = ({ db, clock }: Pick<Context, "db" | "clock">): Promise<LivingProcess[]> =>
  db.prisma.serviceProcess.findMany({
    where: { seenAt: { gt: new Date(clock.now().getTime() - LIVES_MS) } },
    orderBy: [{ startedAt: "asc" }, { id: "asc" }],
  });

/** Says that this process lives, whenever `say` is called, until `end`. */
export function openPresence(
  { db, clock }: Pick<Context, "db" | "clock">,
  kind: ProcessKind,
): { say(): Promise<void>; end(): Promise<void> } {
  const id = randomUUID();
  const startedAt = clock.now();
  return {
    say: async () => {
      const seenAt = clock.now();
      const created = { id, kind, version: VERSION, startedAt, seenAt };
      await db.prisma.serviceProcess.upsert({ where: { id }, create: created, update: { seenAt } });
      // Those of processes that were killed.
      await db.prisma.serviceProcess.deleteMany({
        where: { seenAt: { lt: new Date(seenAt.getTime() - DAY_MS) } },
      });
    },
    end: async () => void (await db.prisma.serviceProcess.deleteMany({ where: { id } })),
  };
}
