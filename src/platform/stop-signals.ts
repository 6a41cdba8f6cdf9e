/** The signals that ask a process to stop. SIGHUP comes when its terminal is closed. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `run` with a signal that aborts when the process is asked to stop. A second request ends the process. */
export async function stoppable<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const ignore = onStopSignal(() => {
    ignore();
    stopping.abort();
  });
  return run(stopping.signal).finally(ignore);
}

/**
 * Calls `work` before a signal ends the process, unless other code handles the signal. A second one ends the process at once.
 * Returns a function that takes this back.
 */
export function beforeKilled(work: () => Promise<void>): () => void {
  const ignore = onStopSignal((name) => {
    if (process.listenerCount(name) > 1) return;
    ignore();
    work().finally(() => process.kill(process.pid, name));
  });
  return ignore;
}

function onStopSignal(listener: (name: NodeJS.Signals) => void): () => void {
  for (const name of STOP_SIGNALS) process.on(name, listener);
  return () => {
    for (const name of STOP_SIGNALS) process.off(name, listener);
  };
}
