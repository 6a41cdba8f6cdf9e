import type { Dispatcher } from "undici";
import type { Connections } from "./connections.ts";
import { type FailureReason, reasonOf } from "./reasons.ts";

export interface Outcome {
  /** Null when the receiver gave no answer. */
  httpStatus: number | null;
  /** Null: the receiver accepted it. */
  reason: FailureReason | null;
  /** The header Retry-After of an answer that did not accept it. */
  retryAfter?: string;
}

/**
 * Sends one request and waits for the end of its answer, for `timeoutMs` in all; once more on a new connection when a kept one
 * was closed before any byte of an answer. It keeps only the answer's status. Never throws.
 */
export function exchange(
  connections: Connections,
  request: Dispatcher.DispatchOptions & { origin: string },
  timeoutMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let connection = connections.take(request.origin);
    let httpStatus: number | null = null;
    let retryAfter: string | undefined;
    let isOver = false;
    const end = (reason: FailureReason | null): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(deadline);
      resolve({ httpStatus, reason, ...(reason !== null && retryAfter !== undefined && { retryAfter }) });
      return true;
    };
    const deadline = setTimeout(() => {
      if (end("timed_out")) connections.drop(connection);
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: ignore,
      onResponseData: ignore,
      onResponseStart: (_controller, status, headers) => {
        // An informational status, such as early hints, is not the answer.
        if (status < 200) return;
        httpStatus = status;
        retryAfter = [headers["retry-after"]].flat()[0];
        connection.expectBody(headers["transfer-encoding"] !== undefined);
      },
      onResponseEnd: () => {
        if (end(reasonOfStatus(httpStatus))) connections.giveBack(connection);
      },
      onResponseError: (_controller, error) => {
        // Many servers close an idle connection in the moment in which the next request comes.
        if (!isOver && connection.wasClosedEarly) {
          connections.drop(connection);
          connection = connections.open(request.origin);
          return connection.dispatch(request, handler);
        }
        const reason = reasonOf(error);
        // The status is known, so a body that does not end does not matter.
        const isAnswered = reason === "answer_too_large" && httpStatus !== null;
        if (end(isAnswered ? reasonOfStatus(httpStatus) : reason)) connections.drop(connection);
      },
    };
    connection.dispatch(request, handler);
  });
}

/** undici requires these handlers. */
const ignore = (): void => {};

const reasonOfStatus = (status: number | null): FailureReason | null =>
  status !== null && status >= 200 && status < 300 ? null : "answer_not_2xx";
