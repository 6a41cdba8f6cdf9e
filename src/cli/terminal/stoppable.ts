/** The signals that ask a process to stop. SIGHUP comes when its terminal is closed. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `run` with a signal that aborts when the process is asked to stop. A second request ends the process at once. */
export async function stoppable<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const ignore = () => {
    for (const name of STOP_SIGNALS) process.off(name, stop);
  };
  const stop = () => {
    ignore();
    stopping.abort();
  };
  for (const name of STOP_SIGNALS) process.on(name, stop);
  return run(stopping.signal).finally(ignore);
}
