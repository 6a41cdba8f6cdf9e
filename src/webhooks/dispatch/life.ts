import type { Context } from "../../platform/context.ts";
import type { Sender } from "../egress/sender.ts";
import { createFinder } from "./find-work.ts";
import { LifeSession } from "./life-session.ts";
import type { OpenSecret } from "./open-secrets.ts";
import { ownAccounts } from "./own-accounts.ts";
import { Lane } from "./queue.ts";
import type { Limits } from "./queued.ts";
import { startRecorder } from "./recorder.ts";
import { repeat } from "./repeat.ts";
import { runSending } from "./sending.ts";
import { Session } from "./session.ts";
import * as sql from "./statements.ts";

export interface LifeParts {
  /** The lane of test deliveries comes first. */
  limits: readonly Limits[];
  sender: Sender;
  openSecret: OpenSecret;
  pollMs: number;
}

/**
 * A dispatcher's life: from its registration until it is stopped or taken for dead by another. It owns accounts, and only
 * it sends and records their deliveries.
 */
export interface Life {
  /** Fulfilled when another has taken it for dead. */
  dead: Promise<void>;
  /** Looks for new deliveries now. */
  wake(): void;
  /** Starts nothing more, waits for what is in flight, records it and gives the accounts back. */
  stop(graceMs: number): Promise<void>;
}

const RECORD_GRACE_MS = 3_000;
/** Often enough that a short queue never runs dry, rarely enough that one reading serves many endpoints. */
const FILL_MS = 10;
/** How often it says that it lives, and how often it looks for accounts. */
const BEAT_MS = 1_000;
/** Short: others take it for dead soon after its connection broke. */
const LONGEST_BACK_OFF_MS = 500;

export async function startLife(context: Context, parts: LifeParts): Promise<Life> {
  const { pollMs } = parts;
  const { rows } = await sql.beginLife.run(context.db.pool);
  const { id } = rows[0] as { id: number };
  const lanes = parts.limits.map((limits) => new Lane(limits));
  const inFlight = () => lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
  const death = Promise.withResolvers<void>();
  const onDead = () => {
    sending.breakOff();
    death.resolve();
  };

  const lifeSession = new LifeSession(context, {
    dispatcherId: id,
    inFlight,
    onUnsure: () => sending.breakOff(),
  });
  const session = new Session(context, id, () => sending.wake());
  const finder = await createFinder(context, lanes);
  const recorder = startRecorder(context, {
    dispatcherId: id,
    onDead,
    onRecorded: (all) => {
      for (const { queued, attempt } of all) {
        const tookMs = attempt?.durationMs ?? null;
        queued.endpoint.lane.finish(queued, { tookMs, wasCancelled: attempt === null });
      }
      sending.wake();
      if (lanes.some((lane) => lane.hungry(1).length > 0)) finding.wake();
    },
  });
  const accounts = ownAccounts(context, { dispatcherId: id, lanes });
  const sending = runSending(context, {
    ...parts,
    session,
    lanes,
    onEnded: recorder.add,
    mayStart: () => lifeSession.isSure(),
    onDead,
  });

  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let mustLook = true;
  const finding = repeat(context, "find deliveries", async () => {
    if (mustLook || performance.now() - lookedAtMs >= pollMs) {
      mustLook = false;
      const unknown = await finder.look();
      lookedAtMs = performance.now();
      if (accounts.areNew(unknown)) owning.wake();
    }
    let found = 0;
    for (const lane of lanes) found += await finder.fill(lane);
    if (found > 0) sending.wake();
    return lanes.some((lane) => lane.hungry(1).length > 0) ? FILL_MS : pollMs;
  });
  const owning = repeat(context, "own accounts", async () => {
    if (await accounts.renew()) finding.wake();
    sending.wake();
    return BEAT_MS;
  });
  const beat = async () => {
    if (!(await lifeSession.beat())) onDead();
    sending.wake();
    return BEAT_MS;
  };
  const beating = repeat(context, "say that it lives", beat, { longestMs: LONGEST_BACK_OFF_MS });

  return {
    dead: death.promise,
    wake: () => {
      mustLook = true;
      finding.wake();
    },
    stop: async (graceMs) => {
      await Promise.all([finding.stop(), sending.stop(graceMs)]);
      await recorder.stop(RECORD_GRACE_MS);
      await Promise.all([owning.stop(), beating.stop()]);
      await accounts.giveBack().catch((error) => {
        context.log.warn(
          { err: error },
          "The accounts could not be given back; others take them in a few seconds.",
        );
      });
      session.close();
      lifeSession.close();
    },
  };
}
