import type { Config } from "./config.ts";
import { isLoopback } from "./settings.ts";

/** Whether only programs of this machine can reach the service: it listens here, and its address is one of here. */
export function isOnThisMachine({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "http:" && isLoopback(hostname) && isLoopback(host);
}
