import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Connector } from "./connector.ts";
import { SendFailure } from "./reasons.ts";

/** What a receiver may send in one answer, all told: 16 KiB of headers and 64 KiB of body. */
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_ANSWER_BYTES = MOST_HEADER_BYTES + 64 * 1024;
/** How long a connection waits for its next request: less than the five seconds after which many servers hang up. */
const IDLE_MS = 4_000;

/**
 * One connection to a receiver, for one request at a time; it is opened by the first. Its owner may destroy it at any
 * moment, while it is still being opened too.
 */
export class Connection {
  readonly origin: string;
  readonly openedAtMs = performance.now();
  readonly #client: Client;
  #socket: Socket | null = null;
  #isDestroyed = false;
  #bytesBefore = 0;

  constructor(origin: string, connect: Connector, onClosed: (connection: Connection) => void) {
    this.origin = origin;
    this.#client = new Client(origin, {
      connect: (target, callback) => {
        connect(target, (socket) => this.#hold(socket)).then(
          (socket) => {
            this.#watch(socket);
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: MOST_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // One deadline holds for the whole attempt; these would begin anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on("disconnect", () => onClosed(this));
  }

  get isUsable(): boolean {
    return !this.#isDestroyed && this.#socket !== null && !this.#socket.destroyed;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch(request, handler);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#socket?.destroy();
    this.#client.destroy(() => {});
  }

  #hold(socket: Socket): void {
    this.#socket = socket;
    if (this.#isDestroyed) socket.destroy();
  }

  /**
   * Counts what comes in below HTTP, where nothing escapes it: a body, but also headers without end, a thousand early
   * hints, or blank lines before the answer and extensions between chunks, which a parser skips without a word.
   */
  #watch(socket: Socket): void {
    this.#hold(socket);
    this.#bytesBefore = 0;
    socket.on("readable", () => {
      if (socket.bytesRead - this.#bytesBefore <= MOST_ANSWER_BYTES) return;
      socket.destroy(new SendFailure("answer_too_large"));
    });
  }
}
