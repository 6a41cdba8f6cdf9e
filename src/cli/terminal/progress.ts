import { SingleBar } from "cli-progress";

/** How far a step is. */
export interface Progress {
  /** The name of the step. */
  what: string;
  done?: number;
  total?: number;
  /** Shown behind the bar. */
  detail?: string;
}

/**
 * Shows the progress of step after step on standard error, so that output can be piped: as a bar on a terminal, elsewhere
 * as one line for each step.
 */
export function progressDisplay({ onlyOnTerminal = false } = {}): {
  show(progress: Progress): void;
  end(): void;
} {
  const stream = process.stderr;
  const format = "{what} {bar} {percentage}%  {detail}";
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true });
  let current: string | undefined;
  return {
    show: ({ what, done, total = 1, detail = "" }) => {
      if (what !== current) {
        current = what;
        bar.stop();
        bar.start(total, done ?? 0, { what, detail });
        if (!stream.isTTY && !onlyOnTerminal) stream.write(`${what} …\n`);
      }
      if (done === undefined) return bar.update({ detail });
      bar.setTotal(total);
      bar.update(done, { detail });
    },
    end: () => bar.stop(),
  };
}
