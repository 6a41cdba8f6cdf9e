import { Writable } from "node:stream";
import { pino } from "pino";
import type { Log } from "../../src/platform/log.ts";

/** A log that keeps its lines as the modules wrote them: nothing is redacted. */
export function memoryLog(): { log: Log; text(): string; lines(): Record<string, unknown>[] } {
  const chunks: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  const log = pino(
    { level: "debug", base: null, formatters: { level: (label) => ({ level: label }) } },
    sink,
  );
  const text = () => chunks.join("");
  return {
    log,
    text,
    lines: () =>
      text()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}
