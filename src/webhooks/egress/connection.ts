import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Connector } from "./connector.ts";
import { SendFailure } from "./reasons.ts";

/** What of an answer is read before its status, and after it. */
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_BODY_BYTES = 64 * 1024;
/** A body in chunks may end in headers again: kept by the parser, those take eighty times their bytes in memory. */
const MOST_CHUNKED_BYTES = 16 * 1024;
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
  readonly #ending = new AbortController();
  #socket: Socket | null = null;
  #bytesBefore = 0;
  #mostBytes = MOST_HEADER_BYTES;

  constructor(origin: string, connect: Connector, onClosed: (connection: Connection) => void) {
    this.origin = origin;
    this.#client = new Client(origin, {
      connect: (target, callback) => {
        connect(target, this.#ending.signal).then(
          (socket) => {
            this.#socket = socket;
            this.#bytesBefore = 0;
            callback(null, socket);
            // After undici's own, so that the status of what has come is known.
            socket.on("readable", () => this.#count(socket));
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

  /** Whether it is open. */
  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#mostBytes = MOST_HEADER_BYTES;
    this.#client.dispatch(request, handler);
  }

  /** The status has come, and a body may. */
  expectBody(isChunked: boolean): void {
    this.#mostBytes = MOST_HEADER_BYTES + (isChunked ? MOST_CHUNKED_BYTES : MOST_BODY_BYTES);
  }

  destroy(): void {
    this.#ending.abort();
    this.#client.destroy(() => {});
  }

  /**
   * Counts what comes in below HTTP, where nothing escapes it: a body, but also headers without end, a thousand early
   * hints, or blank lines before the answer and extensions between chunks, which a parser skips without a word.
   */
  #count(socket: Socket): void {
    if (socket.bytesRead - this.#bytesBefore <= this.#mostBytes) return;
    socket.destroy(new SendFailure("answer_too_large"));
  }
}
