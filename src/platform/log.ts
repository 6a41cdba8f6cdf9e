import { pino } from "pino";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = pino.Logger;

/** Logs JSON lines to standard error. Standard output is for what commands print. */
export function createLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    standardError(),
  );
}

let opened: pino.DestinationStream | undefined;

/** Writes the lines of one turn of the event loop together: a write for each costs as much as making the line. */
function standardError(): pino.DestinationStream {
  if (opened) return opened;
  const file = pino.destination({ fd: 2, sync: true });
  let lines = "";
  const flush = () => {
    const text = lines;
    lines = "";
    if (text !== "") file.write(text);
  };
  process.once("exit", flush);
  opened = {
    write: (line) => {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
  return opened;
}

/** Every log line is tested with this first, because most lines hold no secret. */
const MAY_HOLD_A_SECRET = /tdf_(?:live|test)_|whsec_|:\/\//;

/** Removes the secrets of API keys, webhook endpoints and addresses from a log line, as a last safeguard. */
export function withoutSecrets(line: string): string {
  if (!MAY_HOLD_A_SECRET.test(line)) return line;
  return line
    .replace(/tdf_(live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g, "tdf_$1_$2_…")
    .replace(/whsec_([0-9A-Za-z]{4})[0-9A-Za-z]+/g, "whsec_$1…")
    .replace(/whsec_[0-9A-Za-z]+/g, "whsec_…")
    .replace(/((?:postgres(?:ql)?|smtps?):\/\/[^:@/\s"]*):[^@/\s"]*@/g, "$1:…@");
}
