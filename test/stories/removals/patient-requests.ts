// Requests to services on a busy machine.
import { setTimeout as delay } from "node:timers/promises";

/** The first answer other than 503, which a busy process may give for a while and which shows nothing. */
async function notBusy<T>(ask: () => Promise<T>, statusOf: (answer: T) => number): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await ask();
    if (statusOf(answer) !== 503) return answer;
    await delay(TRY_AFTER_MS);
  }
  throw new Error(`${MOST_TRIES} answers in a row were 503.`);
}

const MOST_TRIES = 100;
const TRY_AFTER_MS = 200;

/** Asks until the process is not busy. */
export const answered = (address: string, init: RequestInit): Promise<Response> =>
  notBusy(
    () => fetch(address, init),
    ({ status }) => status,
  );

/** What fetch throws when a connection ends too early. A service that has stopped refuses connections. */
export function brokenOff(error: unknown): null {
  const isRefused = error instanceof Error && (error.cause as NodeJS.ErrnoException)?.code === "ECONNREFUSED";
  if (error instanceof TypeError && !isRefused) return null;
  throw error;
}

/** What a tool answers: texts for a model, and the same as data. */
interface ToolResult {
  content: { text: string }[];
  structuredContent: { next?: object | null; error?: { status: number } };
}

/** Calls a tool until the process is not busy, which a tool tells in its result. */
export function toolResult(
  address: string,
  key: string,
  params: { name: string; arguments: object },
): Promise<ToolResult> {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
  const call = async () => {
    const answer = await answered(address, init);
    return ((await answer.json()) as { result: ToolResult }).result;
  };
  return notBusy(call, ({ structuredContent }) => structuredContent.error?.status ?? 200);
}
