import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { SenderOrders, SenderReport } from "./sender-process.ts";

const SCRIPT = fileURLToPath(new URL("sender-process.ts", import.meta.url));

/** Sends from a separate process, with these variables added to this one's environment. */
export async function sendInProcess(
  orders: SenderOrders,
  environment: Readonly<Record<string, string>>,
): Promise<SenderReport> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`The sender's process ended with ${code}.`);
  return JSON.parse(output) as SenderReport;
}
