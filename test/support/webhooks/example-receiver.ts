import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const exampleFile = (name: string): string =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** Makes Node load the SDK's source instead of its build. */
export const SOURCE_CONDITION = "--conditions=@trucking-data-feed/source";

/** The command that starts each example. */
const COMMANDS = {
  // With the SDK's source, which needs no build.
  typescript: [process.execPath, SOURCE_CONDITION, exampleFile("receiver-typescript/receiver.ts")],
  "typescript, by Standard Webhooks": [
    process.execPath,
    SOURCE_CONDITION,
    exampleFile("receiver-typescript/standard-receiver.ts"),
  ],
  python: ["python3", exampleFile("receiver-python/receiver.py")],
  "python, by Standard Webhooks": [
    "env",
    "VERIFY=standard",
    "python3",
    exampleFile("receiver-python/receiver.py"),
  ],
} as const;

export type ExampleLanguage = keyof typeof COMMANDS;

/** Whether this machine has a python3 for the example in that language. */
export function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** An example for integrators, in a separate process. */
export interface ExampleReceiver {
  url: string;
  /** The output of its `handle`: the events that it treated as new, in order. */
  handled: { id: string; type: string; usdot: string }[];
  /** Ends it, by default like an operator. Returns its exit code, null after a signal that it does not catch. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The receivers with a `handle` that fails at its first event. */
const FAILING_COMMANDS = {
  typescript: [
    process.execPath,
    "--input-type=module",
    "--eval",
    `import { listen } from ${JSON.stringify(exampleFile("receiver-typescript/listen.ts"))};
    let calls = 0;
    await listen({
      verify: async (_headers, body) => JSON.parse(body),
      isRefusal: () => false,
      handle: async ({ id, type, data }) => {
        if (++calls === 1) throw new Error("The work failed.");
        console.log(JSON.stringify({ id, type, usdot: data.usdot }));
      },
    });`,
  ],
  python: [
    "python3",
    "-c",
    `import sys
sys.path.insert(0, ${JSON.stringify(exampleFile("receiver-python"))})
import receiver
calls, work = [], receiver.handle
def handle(event):
    calls.append(event)
    if len(calls) == 1:
        raise RuntimeError("The work failed.")
    work(event)
receiver.handle = handle
receiver.Receiver.is_genuine = lambda *_: True
receiver.main()`,
  ],
} as const;

/** Starts an example with these settings. Throws its output if it does not start. */
export const startExample = (
  language: ExampleLanguage,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> => startCommand(COMMANDS[language], settings);

/** Starts an example that takes every delivery for genuine, and whose `handle` fails at its first event. */
export const startFailingExample = (
  language: keyof typeof FAILING_COMMANDS,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> => startCommand(FAILING_COMMANDS[language], settings);

async function startCommand(
  [command, ...script]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> {
  const env = { ...process.env, PORT: "0", ...settings };
  const child = spawn(command, script, { env, stdio: ["ignore", "pipe", "pipe"] });
  const handled: ExampleReceiver["handled"] = [];
  createInterface({ input: child.stdout }).on("line", (line) => handled.push(JSON.parse(line)));
  const url = await addressOf(child);
  return {
    url,
    handled,
    end: async (signal = "SIGTERM") => {
      // By then its whole output is read.
      const closed = once(child, "close");
      child.kill(signal);
      return (await closed)[0];
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  const ended = once(child, "exit").then(() => Promise.reject(new Error(said)));
  ended.catch(() => {});
  const listening = new Promise<string>((resolve) => {
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      const [, url] = /Listening on (\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return Promise.race([listening, ended]);
}
