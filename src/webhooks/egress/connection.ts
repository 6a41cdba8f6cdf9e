import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Connector } from "./connector.ts";
import { SendFailure } from "./reasons.ts";
import { skipContinue } from "./skip-continue.ts";

/** How much of an answer is read before its status, and after it. */
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_BODY_BYTES = 64 * 1024;
/** A chunked body may end with trailer headers, which take eighty times their size in the parser's memory. */
const MOST_CHUNKED_BYTES = 16 * 1024;
/** How long a connection waits for its next request: less than the five seconds after which many servers hang up. */
const IDLE_MS = 4_000;

/**
 * One connection to a receiver, for one request at a time. The first request opens it. Its owner may destroy it at any
 * moment, even while it is being opened.
 */
export class Connection {
  readonly origin: string;
  readonly openedAtMs = performance.now();
  readonly #client: Client;
  readonly #ending = new AbortController();
  #socket: Socket | null = null;
  #expectAnswer = (): void => {};
  #requests = 0;
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
            this.#expectAnswer = skipContinue(socket);
            callback(null, socket);
            // After undici's own listener, so that the status is known.
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
      // One deadline holds for the whole attempt; these timeouts would start again with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on("disconnect", () => onClosed(this));
  }

  /** Whether it is open. */
  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed;
  }

  /** Whether it had carried a request before the present one, and was closed by the receiver before any byte of an answer. */
  get wasClosedEarly(): boolean {
    const isOurs = this.#ending.signal.aborted;
    return this.#requests > 1 && !isOurs && !this.isOpen && this.#socket?.bytesRead === this.#bytesBefore;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#mostBytes = MOST_HEADER_BYTES;
    this.#requests += 1;
    this.#expectAnswer();
    this.#client.dispatch(request, handler);
  }

  /** The status was received: allow a body. */
  expectBody(isChunked: boolean): void {
    this.#mostBytes = MOST_HEADER_BYTES + (isChunked ? MOST_CHUNKED_BYTES : MOST_BODY_BYTES);
  }

  destroy(): void {
    this.#ending.abort();
    this.#client.destroy(() => {});
  }

  /**
   * Counts bytes of the socket, below HTTP, so that it counts everything: the body, endless headers, a thousand early
   * hints, and the blank lines and chunk extensions that the parser skips.
   */
  #count(socket: Socket): void {
    if (socket.bytesRead - this.#bytesBefore <= this.#mostBytes) return;
    socket.destroy(new SendFailure("answer_too_large"));
  }
}
