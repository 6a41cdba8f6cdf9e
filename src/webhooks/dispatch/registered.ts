import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import type { Sender } from "../egress/sender.ts";
import type { OpenSecret } from "../secrets/signing.ts";
import { Attempts } from "./attempts.ts";
import { createFinder } from "./finder.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Leases } from "./leases.ts";
import { Bell, startLoop } from "./loop.ts";
import { Peers } from "./peers.ts";
import { Queues } from "./queues.ts";
import { Recorder } from "./recorder.ts";
import { SendWindow } from "./send-window.ts";
import { Sending } from "./sending.ts";

export interface RegisteredOptions {
  sender: Sender;
  openSecret: OpenSecret;
  /** Interval between looks for work while there is little. */
  pollMs: number;
  /** Aborted when the registration is lost: a peer has presumed this dispatcher dead. Nothing starts after that. */
  lost: AbortController;
}

/** A registered dispatcher. It leases accounts, and only it sends and records their deliveries. */
export interface Registered {
  /** Looks for new deliveries now. */
  lookNow(): void;
  /** Starts nothing more, waits for the deliveries in flight, records them and unregisters. */
  stop(graceMs: number): Promise<void>;
}

const RECORD_GRACE_MS = 3_000;
/** Short: peers presume this dispatcher dead soon after its connection broke. */
const LONGEST_BACK_OFF_MS = 500;

/**
 * Registers a dispatcher and starts its loops. Calls go in one direction, from the loops to the queues: find and lease fill
 * them, send takes from them and starts attempts, whose results the recorder writes. Loops wake each other by bells.
 */
export async function register(context: Context, options: RegisteredOptions): Promise<Registered> {
  const { lost } = options;
  const { id: dispatcherId } = await sql.register(context.db.pool);
  const bells = { find: new Bell(), lease: new Bell(), send: new Bell() };
  const queues = new Queues(context.config.webhookConcurrency);

  const recorder = new Recorder(context, { dispatcherId, queues, lost, bells });
  const attempts = new Attempts(context, { ...options, queues, recorder, lost: lost.signal });
  const heartbeat = new Heartbeat(context, { dispatcherId, queues, attempts, lost, sendBell: bells.send });
  const sendWindow = new SendWindow(context, { dispatcherId, bell: bells.send });
  const sendParts = { queues, sendWindow, heartbeat, attempts, recorder, lost, bell: bells.send };
  const sending = new Sending(context, sendParts);
  const peers = new Peers(context, dispatcherId);
  const leases = new Leases(context, { dispatcherId, queues, peers, bells });
  const finder = await createFinder(context, { queues, leases, bells, pollMs: options.pollMs });

  const quick = { longestBackOffMs: LONGEST_BACK_OFF_MS };
  const loops = {
    record: startLoop(context, { task: "record results", bell: recorder.bell }, () => recorder.step()),
    find: startLoop(context, { task: "find deliveries", bell: bells.find }, () => finder.step()),
    lease: startLoop(context, { task: "lease accounts", bell: bells.lease }, () => leases.step()),
    send: startLoop(context, { task: "send deliveries", bell: bells.send, longestBackOffMs: 1_000 }, () =>
      sending.step(),
    ),
    heartbeat: startLoop(context, { task: "heartbeat", ...quick }, () => heartbeat.step()),
  };

  return {
    lookNow: () => finder.lookNow(),
    stop: async (graceMs) => {
      sending.stop();
      await Promise.all([loops.find.stop(), loops.send.stop()]);
      await attempts.ended(graceMs);
      await loops.record.stop();
      await recorder.finish(RECORD_GRACE_MS);
      await Promise.all([loops.lease.stop(), loops.heartbeat.stop()]);
      await leases.unregister().catch((error) => {
        context.log.warn(
          { err: error },
          "The dispatcher could not unregister. Others lease its accounts in a few seconds.",
        );
      });
      sendWindow.disconnect();
      heartbeat.stop();
    },
  };
}
