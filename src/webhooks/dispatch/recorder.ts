import type { Context } from "../../platform/context.ts";
import { Bell, IDLE_MS } from "./loop.ts";
import type { Queues } from "./queues.ts";
import { type Ended, recordEnded } from "./record.ts";

const AT_ONCE = 500;
/** So many results are worth a statement at once; fewer wait a moment for others, as it costs about the same for all. */
const WORTH_A_STATEMENT = 50;
const GATHER_MS = 4;

interface RecorderParts {
  dispatcherId: number;
  queues: Queues;
  lost: AbortController;
  bells: Record<"find" | "send", Bell>;
}

/** Records ended deliveries, many in one statement, and then frees their slots. */
export class Recorder {
  /** Rings when there is something to record. */
  readonly bell = new Bell();
  readonly #context: Context;
  readonly #parts: RecorderParts;
  readonly #ended: Ended[] = [];
  #isGathering = false;

  constructor(context: Context, parts: RecorderParts) {
    this.#context = context;
    this.#parts = parts;
  }

  add(ended: Ended): void {
    this.#ended.push(ended);
    if (this.#ended.length === WORTH_A_STATEMENT) this.bell.ring();
    else this.#gather();
  }

  /** Records some. Returns how long to wait for more. */
  async step(): Promise<number> {
    this.#isGathering = false;
    await this.#recordSome();
    if (this.#ended.length >= WORTH_A_STATEMENT) return 0;
    if (this.#ended.length > 0) this.#gather();
    return IDLE_MS;
  }

  /** Records the rest. Gives up after `graceMs`; then these deliveries are sent again. */
  async finish(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    try {
      while (this.#ended.length > 0 && performance.now() < deadline) await this.#recordSome();
    } catch (error) {
      this.#context.log.warn(
        { err: error, attempts: this.#ended.length },
        "Attempts could not be recorded; their deliveries will be sent again.",
      );
    }
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => this.bell.ring(), GATHER_MS);
  }

  async #recordSome(): Promise<void> {
    const { dispatcherId, queues, lost, bells } = this.#parts;
    const some = this.#ended.slice(0, AT_ONCE);
    if (some.length === 0) return;
    if (!(await recordEnded(this.#context, dispatcherId, some))) lost.abort();
    this.#ended.splice(0, some.length);
    for (const { queued, attempt } of some) {
      const tookMs = attempt?.durationMs ?? null;
      queues.of(queued).finish(queued, { tookMs, wasCancelled: attempt === null });
    }
    bells.send.ring();
    if (queues.haveCapacity()) bells.find.ring();
  }
}
